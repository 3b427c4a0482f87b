#include "writer_setup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

#include "column_type.h"
#include "microparquet/compatible.h"
#include "microparquet/desktop/growing_reader.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/reader.h"
#include "microparquet/text/quoted.h"

namespace csv_log {

namespace {

namespace mpq = microparquet;
using mpq::Status;

constexpr const char* kOtherName = "; give another name, or --overwrite instead of --append to replace it";

// A file that begins as a Parquet file was one until its end was cut off.
bool begins_as_parquet(mpq::File& file) {
  std::array<char, 4> magic = {};
  return file.read_at(0, {reinterpret_cast<std::byte*>(magic.data()), magic.size()}) == Status::kOk &&
         std::string_view(magic.data(), magic.size()) == "PAR1";
}

// A footer, and what to say when it cannot be read.
class FooterReader {
 public:
  FooterReader(mpq::File& file, std::string name) : file_(file), name_(std::move(name)) {
    check(memory_.open(file, mpq::kDefaultReaderOptions));
  }

  void check(Status status) const {
    if (status == Status::kOk) {
      return;
    }
    if (status == Status::kNotParquet && !begins_as_parquet(file_)) {
      throw Failure(name_ + ": it is no Parquet file" + kOtherName);
    }
    if (status == Status::kNotParquet || status == Status::kCorrupt) {
      throw Failure(torn(name_));
    }
    throw Failure(name_ + ": " + mpq::to_string(status));
  }

  // `take(buffer)`, with a buffer that is large enough.
  template <typename Take>
  void with_buffer(Take take) {
    check(memory_.with_buffer(text_, take));
  }

  // Calls `visit` for each node of the schema, in one walk.
  template <typename Visit>
  void visit_schema(const Visit& visit) {
    check(memory_.visit_schema(visit));
  }

  // The same for each key-value.
  template <typename Visit>
  void visit_key_values(const Visit& visit) {
    check(memory_.visit_key_values(visit));
  }

  mpq::Reader& reader() { return memory_.reader(); }

 private:
  mpq::File& file_;
  std::string name_;
  mpq::desktop::GrowingReader memory_;
  std::vector<char> text_ = std::vector<char>(256);
};

// `name`: with those of the structs that it is in.
ColumnPlan column_of(const mpq::SchemaElement& element, const std::string& name, const std::string& file) {
  const auto type = column_type_of(element);
  const unsigned levels = element.repetition == mpq::Repetition::kOptional ? 1 : 0;
  if (!type || element.max_repetition_level != 0 || element.max_definition_level != levels) {
    throw Failure(file + ": its column " + name + " is of a type that csv_log does not write" + kOtherName);
  }
  ColumnPlan column;
  column.name = name;
  column.type = *type;
  column.optional = element.repetition == mpq::Repetition::kOptional;
  return column;
}

std::string joined_names(const std::vector<std::string>& path) {
  std::string names;
  for (const std::string& name : path) {
    names += (names.empty() ? "" : ".") + name;
  }
  return names;
}

void check_writer(FooterReader& footer, const std::string& file) {
  std::string writer;
  footer.with_buffer([&](mpq::Span<char> buffer) {
    std::string_view text;
    const Status status = footer.reader().created_by(buffer, text);
    writer = text;
    return status;
  });
  if (writer.rfind("microparquet ", 0) != 0) {
    throw Failure(file + ": it was written by " + (writer.empty() ? "another program" : writer) +
                  ", and rows can be added to files of microparquet only" + kOtherName);
  }
}

std::string names_of(const std::vector<ColumnPlan>& columns) {
  std::string names;
  for (const ColumnPlan& column : columns) {
    names += (names.empty() ? "" : ", ") + column.name;
  }
  return names;
}

}  // namespace

std::string torn(const std::string& name) {
  return name +
         ": it ends in the middle of a footer, as when its writing was cut short; mend it with: mpq "
         "recover " +
         microparquet::text::shell_path(name);
}

ExistingFile read_existing(mpq::File& file, const std::string& name) {
  FooterReader footer(file, name);
  check_writer(footer, name);
  ExistingFile existing;
  std::vector<std::string> path;
  footer.visit_schema([&](const mpq::SchemaElement& element) {
    if (element.depth == 0) {
      return;
    }
    path.resize(element.depth - 1);
    path.emplace_back(element.name);
    if (element.leaf) {
      existing.columns.push_back(column_of(element, joined_names(path), name));
      existing.structs = existing.structs || path.size() > 1;
    }
  });
  footer.visit_key_values([&](const mpq::KeyValue& pair) {
    existing.key_values.push_back({std::string(pair.key), std::string(pair.value)});
  });
  return existing;
}

void take_types(TablePlan& plan, const ExistingFile& existing, const Settings& settings) {
  if (names_of(plan.columns) != names_of(existing.columns)) {
    throw Failure(settings.output + " has the columns " + names_of(existing.columns) + ", and " +
                  settings.input + " has " + names_of(plan.columns) + "; give OUT another name");
  }
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    ColumnPlan& column = plan.columns[i];
    const ColumnPlan& before = existing.columns[i];
    if (column.type.zone == Zone::kOfValues) {
      column.type.zone = before.type.zone;
    }
    if (column.type_told && to_string(stored(column.type)) != to_string(before.type)) {
      throw Failure("--type " + column.name + "=" + to_string(column.type) + ": in " + settings.output +
                    " the column is of type " + to_string(before.type) +
                    "; give that, or give OUT another name");
    }
    const ColumnType written = column.type;  // type with the form of the cells
    column.type = before.type;
    column.type.epoch_units = written.epoch_units;
    column.type.date_order = written.date_order;
    column.type.number_form = written.number_form;
    column.text_because.reset();
    column.has_values = true;
    column.words.clear();
    column.undecided_date = false;
    column.undecided_numbers.clear();
    column.optional = before.optional;
  }
}

std::vector<NamedValue> new_key_values(const ExistingFile& existing, const std::vector<NamedValue>& wanted,
                                       const std::string& option, const Settings& settings) {
  std::vector<NamedValue> added;
  for (const NamedValue& told : wanted) {
    const auto before = std::find_if(existing.key_values.begin(), existing.key_values.end(),
                                     [&](const NamedValue& pair) { return pair.key == told.key; });
    if (before == existing.key_values.end()) {
      added.push_back(told);
    } else if (before->value != told.value) {
      throw Failure(option + " " + told.key + "=" + told.value + ": " + settings.output + " has " + told.key +
                    "=" + before->value + " already; leave it out, or give another key");
    }
  }
  return added;
}

namespace {

constexpr std::uint32_t kSectorBytes = 512;
constexpr std::uint32_t kPageOverhead = 96;  // at most, for header, levels and a string's length
constexpr std::uint32_t kGrowthShare = 128;  // compression makes a page larger by no more than this part

// Row groups that a sink which cannot be read back may come to.
std::uint16_t max_row_groups_in_memory(const Settings& settings) {
  constexpr std::uint16_t kMax = 32'767;
  constexpr std::uint16_t kUsual = 4'096;
  return settings.rows_per_group != 0 ? kMax : kUsual;
}

}  // namespace

std::uint32_t page_bytes_for(std::size_t text_bytes, const Settings& settings) {
  constexpr std::size_t kMax = std::size_t{1} << 28;
  std::size_t bytes = std::min(text_bytes, kMax - kMax / kGrowthShare) + kPageOverhead;
  if (compressor_of(settings) != nullptr || settings.v2_pages) {
    bytes += kSectorBytes + bytes / kGrowthShare;
  }
  return static_cast<std::uint32_t>((bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes);
}

std::vector<mpq::Field> fields_of(const TablePlan& plan, const Settings& settings) {
  std::vector<mpq::Field> fields;
  for (const ColumnPlan& column : plan.columns) {
    mpq::Field field = encoded(field_of(column.name, column.type), settings);
    if (column.optional) {
      field = field.as_optional();
    }
    if (settings.page_bytes == 0 && field.type == mpq::Type::kByteArray &&
        page_bytes_for(column.longest, settings) > page_bytes_of(settings)) {
      field = field.with_page_bytes(page_bytes_for(column.longest, settings));
      if (field.page_bytes > kMostCompressedPageBytes) {
        field.compressor = nullptr;
      }
    }
    fields.push_back(field);
  }
  return fields;
}

mpq::Options options_of(const TablePlan& plan, const Settings& settings, const Output& output) {
  constexpr std::uint32_t kForwardRowGroup = 8 << 20;
  constexpr std::size_t kOwnKeyValues = 5;  // why it stopped, and what was left out
  mpq::Options options;
  options.checksum = &mpq::crc32_hardware;
  options.page_bytes = page_bytes_of(settings);
  options.whole_sectors = options.page_bytes % kSectorBytes == 0;
  options.row_group_rows = settings.rows_per_group;
  options.max_key_values = static_cast<std::uint8_t>(
      std::min<std::size_t>(settings.key_values.size() + plan.units.size() + kOwnKeyValues, 255));
  options.file_id = settings.file_id != 0 ? settings.file_id : std::random_device()();
  if (settings.checkpoint_seconds) {
    constexpr double kMsPerSecond = 1000;
    const double ms = std::ceil(*settings.checkpoint_seconds * kMsPerSecond);
    options.checkpoint_ms = static_cast<std::uint32_t>(ms);
    options.max_loss_ms = options.checkpoint_ms;  // the user's bound, whatever it costs
  }
  if (settings.compatible || !output.can_seek()) {
    options = mpq::compatible(options);
    options.row_group_bytes = kForwardRowGroup;
  }
  if (!output.can_seek()) {
    options.max_row_groups_in_memory = max_row_groups_in_memory(settings);
  }
  if (settings.row_group_bytes != 0) {
    options.row_group_bytes = settings.row_group_bytes;
  }
  return options;
}

}  // namespace csv_log
