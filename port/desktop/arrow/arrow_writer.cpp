// An Arrow stream as a file.
#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "array_check.h"
#include "arrow_import.h"
#include "microparquet/desktop/arrow.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/failure.h"
#include "microparquet/desktop/nested_file.h"
#include "microparquet/desktop/new_file.h"
#include "microparquet/encoders.h"
#include "microparquet/port/desktop.h"
#include "nested_import.h"

namespace microparquet::desktop {

namespace {

// Released with its owner.
template <typename Structure>
struct Released : Structure {
  Released() : Structure{} {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() {
    if (this->release != nullptr) {
      this->release(this);
    }
  }
};

// Releases a stream that is the caller's memory.
class StreamOwner {
 public:
  explicit StreamOwner(ArrowArrayStream& stream) : stream_(stream) {}
  StreamOwner(const StreamOwner&) = delete;
  StreamOwner& operator=(const StreamOwner&) = delete;
  ~StreamOwner() {
    if (stream_.release != nullptr) {
      stream_.release(&stream_);
    }
  }

  void get_schema(ArrowSchema& schema) { check(stream_.get_schema(&stream_, &schema)); }
  void get_next(ArrowArray& array) { check(stream_.get_next(&stream_, &array)); }

 private:
  void check(int error) {
    if (error != 0) {
      const char* const text = stream_.get_last_error(&stream_);
      throw Failure(text != nullptr && *text != 0 ? text : std::strerror(error));
    }
  }

  ArrowArrayStream& stream_;
};

std::int32_t take_count(const char*& at) {
  std::int32_t count = 0;
  std::memcpy(&count, at, sizeof count);
  if (count < 0) {
    throw Failure("the metadata of the stream's schema are not what Arrow has: a length is negative");
  }
  at += sizeof count;
  return count;
}

std::string take_text(const char*& at) {
  const std::int32_t length = take_count(at);
  std::string text(at, static_cast<std::size_t>(length));
  at += length;
  return text;
}

// Pairs one after another, as Arrow encodes them.
std::vector<std::string> texts_of(const char* metadata) {
  std::vector<std::string> texts;
  const std::int32_t pairs = metadata != nullptr ? take_count(metadata) : 0;
  for (std::int32_t i = 0; i < pairs; ++i) {
    texts.push_back(take_text(metadata));
    texts.push_back(take_text(metadata));
  }
  return texts;
}

const Compressor* compressor_named(const std::string& name) {
  if (name == "none") {
    return nullptr;
  }
  const NamedCodec* const codec = find_codec(name);
  if (codec == nullptr || codec->compressor == nullptr) {
    throw Failure(codec == nullptr ? "there is no codec " + name : built_without("library", *codec));
  }
  return codec->compressor;
}

class FileWriter {
 public:
  FileWriter(StreamOwner& stream, const std::string& path, const ArrowWriteSettings& settings)
      : stream_(stream), compressor_(compressor_named(settings.codec)), new_file_(path) {
    stream.get_schema(schema_);
    check_schema(schema_);
    key_values_ = texts_of(schema_.metadata);
    constexpr std::size_t kMostKeyValues = std::numeric_limits<std::uint8_t>::max();
    key_values_.resize(std::min(key_values_.size(), 2 * kMostKeyValues));
    if (is_nested(schema_)) {
      nested_ = std::make_unique<NestedColumns>(schema_);
      parts_ = nested_->parts([&](const Field& field) { return encoded(field, settings.encode); });
    }
    for (std::int64_t i = 0; i < schema_.n_children && nested_ == nullptr; ++i) {
      const ArrowSchema& column = *schema_.children[i];
      const std::string name = column.name == nullptr ? "" : column.name;
      fields_.push_back(encoded(columns_.emplace_back(column, name).field(), settings.encode));
    }
    options_ = desktop_options(settings.row_group_rows);
    options_.page_bytes = settings.page_bytes;
    options_.max_key_values = static_cast<std::uint8_t>(key_values_.size() / 2);
    options_.file_id = std::random_device()();
    if (nested_ != nullptr) {
      plan_nested();  // refuses what no file has, before there are rows
    }
  }

  void run() {
    Released<ArrowArray> arrays[2];  // the present one, and the next
    bool more = next(arrays[0]);
    bool follows = more && next(arrays[1]);
    nested_ != nullptr ? open_nested(more ? &arrays[0] : nullptr, follows) : open();
    for (std::size_t i = 0; i < key_values_.size(); i += 2) {
      check(writer_.set_key_value(key_values_[i], key_values_[i + 1]));
    }
    for (std::size_t i = 0; more; i = 1 - i) {
      nested_ != nullptr ? append_nested(arrays[i]) : append(arrays[i]);
      more = follows;
      follows = more && next(arrays[i]);
    }
    check(writer_.close());
    new_file_.take_name();
  }

 private:
  static constexpr std::int64_t kMostRows = 65536;  // at once: what is converted is no longer
  // A page of each column is in memory: where columns are thousands, pages and dictionaries are smaller.
  static constexpr std::size_t kMostArena = std::size_t{1} << 30;
  static constexpr std::uint32_t kLeastPage = 4096;
  static constexpr std::size_t kManyColumns = 4096;

  Field encoded(const Field& field, bool encode) const {
    if (encode) {
      const std::size_t columns =
          nested_ != nullptr ? nested_->columns() : static_cast<std::size_t>(schema_.n_children);
      const AutoEncoders& encoders = columns < kManyColumns ? kAutoOf<16384, 4096> : kAuto;
      const Field automatic =
          field.with_encoder(compressor_ != nullptr ? encoders.under(*compressor_) : encoders);
      return automatic;
    }
    return compressor_ != nullptr ? field.with_compressor(*compressor_) : field;
  }

  void check(Status status) {
    if (status == Status::kOk) {
      return;
    }
    const int error = error_of(new_file_.file());
    throw Failure(status == Status::kIoError || status == Status::kNoSpace || status == Status::kMediumLost
                      ? error_text(error)
                  : status == Status::kValueTooLarge ? "a text is longer than a page; make page_bytes larger"
                                                     : to_string(status));
  }

  bool next(ArrowArray& array) {
    if (array.release != nullptr) {
      array.release(&array);
    }
    stream_.get_next(array);
    return array.release != nullptr;
  }

  std::byte* make_arena(std::size_t bytes) {
    arena_.resize(bytes / sizeof arena_[0] + 1);
    return reinterpret_cast<std::byte*>(arena_.data());
  }

  void open() {
    while (Writer::required_bytes(fields_, options_) > kMostArena && options_.page_bytes > kLeastPage) {
      options_.page_bytes /= 2;
    }
    const std::size_t bytes = Writer::required_bytes(fields_, options_);
    check(writer_.open(new_file_.file(), fields_, options_, {make_arena(bytes), bytes}));
  }

  void plan_nested() {
    file_ = std::make_unique<NestedFile>(parts_, options_);
    if (!file_->fault().empty()) {
      throw Failure(file_->fault());
    }
  }

  // `rows`: the first ones; null: there are none. `follow`: whether there are others. If not, a row group has space for no more.
  void open_nested(const ArrowArray* rows, bool follow) {
    if (rows != nullptr) {
      check_nested(*rows);
      if (!follow && rows->length != 0 && rows->length < std::int64_t{options_.row_group_rows}) {
        options_.row_group_rows = static_cast<std::uint32_t>(rows->length);
      }
      nested_->foresee_slots(*rows, parts_);
      plan_nested();
    }
    while (file_->arena_bytes() > kMostArena && options_.page_bytes > kLeastPage) {
      options_.page_bytes /= 2;
      plan_nested();
    }
    check(file_->open(writer_, new_file_.file(), make_arena(file_->arena_bytes())));
  }

  void check_nested(const ArrowArray& rows) const {
    check_rows(rows, schema_.n_children);
    nested_->check(rows);
  }

  void append_nested(const ArrowArray& rows) {
    check_nested(rows);
    for (std::int64_t first = 0; first < rows.length;) {
      const std::int64_t count = nested_->rows_at_once(rows, first, kMostRows);
      const std::vector<const ColumnSlots*>& slots = nested_->import(rows, first, count);
      std::size_t column = 0;
      const Status status =
          file_->append(writer_, {slots.data(), slots.size()}, static_cast<std::uint32_t>(count), column);
      if (status == Status::kValueTooLarge) {
        throw Failure("a row of column " + std::string(file_->path_of(column)) +
                      " is longer than a page; make page_bytes larger");
      }
      check(status);
      first += count;
    }
  }

  void append(const ArrowArray& array) {
    check_rows(array, schema_.n_children);
    std::vector<ColumnData> data(columns_.size());
    for (std::int64_t first = 0; first < array.length; first += kMostRows) {
      const std::int64_t count = std::min(array.length - first, kMostRows);
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        data[i] = columns_[i].import(*array.children[i], array.offset + first, count);
      }
      check(writer_.append_columns(data, static_cast<std::size_t>(count)));
    }
  }

  StreamOwner& stream_;
  const Compressor* compressor_;
  Released<ArrowSchema> schema_;
  std::deque<ArrowColumn> columns_;  // each stays where it is: fields name it
  std::vector<Field> fields_;
  std::unique_ptr<NestedColumns> nested_;  // where a column is nested, instead of those
  std::vector<NestedPart> parts_;
  std::unique_ptr<NestedFile> file_;
  std::vector<std::string> key_values_;
  Options options_;
  std::vector<std::uint64_t> arena_;
  NewFile new_file_;
  Writer writer_;
};

}  // namespace

void write_arrow(ArrowArrayStream& stream, const std::string& path, const ArrowWriteSettings& settings) {
  if (stream.release == nullptr) {
    throw Failure("the stream is released already");
  }
  StreamOwner owner(stream);
  FileWriter(owner, path, settings).run();
}

}  // namespace microparquet::desktop
