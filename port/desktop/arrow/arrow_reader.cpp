// A file as an Arrow stream.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>

#include "array_maker.h"
#include "arrow_node.h"
#include "leaf_items.h"
#include "microparquet/desktop/arrow.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/column_buffers.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/desktop/growing_reader.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/facts.h"
#include "microparquet/port/desktop.h"

namespace microparquet::desktop {

namespace {

constexpr std::uint32_t kColumnBytes = 256 << 10;
constexpr char kArrowSchemaKey[] = "ARROW:schema";  // Arrow types of the writing library

void append_length(std::string& text, std::size_t length) {
  const auto stored = static_cast<std::int32_t>(length);
  text.append(reinterpret_cast<const char*>(&stored), sizeof stored);
}

class FileStream {
 public:
  FileStream(const std::string& path, const ArrowReadSettings& settings)
      : path_(path), batch_rows_(settings.batch_rows) {
    if (file_.open_for_reading(path.c_str()) != Status::kOk) {
      throw Failure(path + ": " + why_failed(file_));
    }
    options_ = desktop_reader_options();
    options_.buffer_bytes = kColumnBytes;
    options_.decompressors = decompressors();
    check(memory_.open(file_, options_));
    choose(settings.columns);
    read_schema();
    if (settings.physical) {
      set_units();
    }
    add_leaves(row_, "");
  }

  ArrowSchema schema() { return make_schema(row_, metadata()); }

  // Released: the file has no more rows.
  ArrowArray next() {
    while (rows_left_ == 0) {
      const Status status = reader_.next_row_group();
      if (status == Status::kEnd) {
        return {};
      }
      check(status);
      rows_left_ = reader_.row_group_rows();
    }
    const std::uint64_t rows = std::min<std::uint64_t>(rows_left_, batch_rows_);
    for (LeafItems& leaf : leaves_) {
      check(leaf.read(reader_, buffers_, rows));
    }
    check_agreement();
    const ArrowArray array = make_array(row_, leaves_, rows);
    for (LeafItems& leaf : leaves_) {
      leaf.drop();
    }
    rows_left_ -= rows;
    return array;
  }

 private:
  void check(Status status) const {
    if (status == Status::kOk) {
      return;
    }
    const std::uint32_t column = reader_.failure().column;
    const std::string where = column < column_names_.size() ? ": column " + column_names_[column] : "";
    throw Failure(path_ + where + ": " +
                  (status == Status::kIoError ? why_failed(file_) : to_string(status)));
  }

  void check_agreement() const {
    const std::size_t leaf = first_disagreeing(row_, leaves_);
    if (leaf == leaves_.size()) {
      return;
    }
    throw Failure(
        path_ + ": column " + leaf_name(leaf) + " is damaged, or column " + leaf_name(leaf - 1) +
        " beside it: their lists and structs are not the same; copy the file from its source again");
  }

  const std::string& leaf_name(std::size_t leaf) const { return column_names_[reader_.chosen_column(leaf)]; }

  void choose(const std::vector<std::string>& names) {
    std::vector<std::uint32_t> columns(reader_.columns());
    std::iota(columns.begin(), columns.end(), 0);
    if (!names.empty()) {
      columns.clear();
    }
    for (const std::string& name : names) {
      std::uint32_t column = 0;
      const Status status = reader_.find_column(name, column);
      if (status == Status::kInvalidArgument) {
        throw Failure(path_ + " has no column " + name);
      }
      check(status);
      columns.push_back(column);
    }
    std::sort(columns.begin(), columns.end());
    std::vector<ColumnChoice> choices;
    for (const std::uint32_t column : columns) {
      choices.push_back({column, 0});
    }
    check(memory_.choose_items(choices, kColumnBytes));
  }

  void read_schema() {
    std::vector<std::uint64_t> memory;
    Status status = Status::kOutOfMemory;
    std::size_t bytes = Records::required_bytes(reader_.schema_elements(), reader_.chosen());
    while (status == Status::kOutOfMemory) {
      memory.resize(bytes / sizeof memory[0] + 1);
      Records records(reader_,
                      {reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof memory[0]});
      status = records.begin();
      bytes = static_cast<std::size_t>(reader_.needed_bytes());
      if (status == Status::kOk) {
        row_ = arrow_schema(memory_, records);
      }
    }
    check(status);
  }

  // Has numbers come in the units that the key-values say.
  void set_units() {
    std::map<std::string, UnitConversion> units;
    const auto number_in = [](std::string_view text) {
      double number = 0;
      const char* const last = text.data() + text.size();
      const auto [end, error] = std::from_chars(text.data(), last, number);
      return error == std::errc() && end == last && std::isfinite(number) ? number : 0;
    };
    check(memory_.visit_key_values([&](const KeyValue& pair) {
      const double number = number_in(pair.value);
      for (const std::string_view prefix : {facts::kScaleOf, facts::kOffsetOf}) {
        if (number != 0 && pair.key.substr(0, prefix.size()) == prefix) {
          UnitConversion& unit = units[std::string(pair.key.substr(prefix.size()))];
          (prefix == facts::kScaleOf ? unit.scale : unit.offset) = number;
        }
      }
    }));
    std::map<std::uint32_t, UnitConversion> columns;
    for (const auto& [name, unit] : units) {
      std::uint32_t column = 0;
      const Status status = reader_.find_column(name, column);
      if (status != Status::kInvalidArgument) {
        check(status);
        columns.emplace(column, unit);
      }
    }
    set_units(columns, row_);
  }

  void set_units(const std::map<std::uint32_t, UnitConversion>& units, ArrowNode& node) const {
    if (node.kind == ArrowNode::Kind::kValue) {
      const auto unit = units.find(reader_.chosen_column(node.leaf));
      if (unit != units.end()) {
        set_unit(unit->second.scale, unit->second.offset, node);
      }
    }
    for (ArrowNode& child : node.children) {
      set_units(units, child);
    }
  }

  // Adds leaves in the order of the schema, in which their places are, too.
  void add_leaves(const ArrowNode& node, const std::string& name) {
    if (node.kind == ArrowNode::Kind::kValue) {
      leaves_.emplace_back(node, node.leaf);
      column_names_.resize(std::max<std::size_t>(column_names_.size(), reader_.chosen_column(node.leaf) + 1));
      column_names_[reader_.chosen_column(node.leaf)] = name;
    }
    for (const ArrowNode& child : node.children) {
      add_leaves(child, name.empty() ? child.name : name + "." + child.name);
    }
  }

  // Key-values as Arrow encodes them: a count, and the length and bytes of each text.
  std::string metadata() {
    std::string texts;
    std::size_t count = 0;
    check(memory_.visit_key_values([&](const KeyValue& pair) {
      if (pair.key == kArrowSchemaKey) {
        return;
      }
      ++count;
      for (const std::string_view text : {pair.key, pair.value}) {
        append_length(texts, text.size());
        texts += text;
      }
    }));
    std::string whole;
    if (count != 0) {
      append_length(whole, count);
      whole += texts;
    }
    return whole;
  }

  std::string path_;
  std::uint64_t batch_rows_;
  NativeFile file_;
  ReaderOptions options_;
  GrowingReader memory_;
  Reader& reader_ = memory_.reader();
  ColumnBuffers buffers_;
  ArrowNode row_;
  std::vector<LeafItems> leaves_;
  std::vector<std::string> column_names_;
  std::uint64_t rows_left_ = 0;  // rows left in the row group
};

struct StreamState {
  std::unique_ptr<FileStream> stream;
  std::string error;
};

StreamState& state_of(ArrowArrayStream* stream) { return *static_cast<StreamState*>(stream->private_data); }

// Keeps the text of what goes wrong.
template <typename Action>
int guarded(ArrowArrayStream* stream, Action action) {
  StreamState& state = state_of(stream);
  try {
    action(*state.stream);
    return 0;
  } catch (const std::bad_alloc&) {
    state.error = "no memory";
    return ENOMEM;
  } catch (const std::exception& failure) {
    state.error = failure.what();
    return EIO;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream, [out](FileStream& file) { *out = file.schema(); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(stream, [out](FileStream& file) { *out = file.next(); });
}

const char* get_last_error(ArrowArrayStream* stream) { return state_of(stream).error.c_str(); }

void release_stream(ArrowArrayStream* stream) {
  delete &state_of(stream);
  stream->release = nullptr;
}

}  // namespace

void read_arrow(const std::string& path, const ArrowReadSettings& settings, ArrowArrayStream& stream) {
  auto state = std::make_unique<StreamState>();
  state->stream = std::make_unique<FileStream>(path, settings);
  stream = {&get_schema, &get_next, &get_last_error, &release_stream, state.release()};
}

}  // namespace microparquet::desktop
