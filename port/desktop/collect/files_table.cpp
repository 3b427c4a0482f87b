#include "files_table.h"

#include <optional>
#include <string>
#include <vector>

#include "microparquet/auto_encoders.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/typed.h"
#include "microparquet/writer.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::Status;
using mpq::Value;

// "number int32, time timestamp[us, UTC]"
std::string schema_text(const Collected& file) {
  std::string text;
  for (const CollectedColumn& column : file.columns) {
    text += (text.empty() ? "" : ", ") + column.name + " " + column.type;
  }
  return text;
}

// A column: its field, and its value of a file.
struct FilesColumn {
  mpq::Field field;
  Value (*value)(const Collected& file);
};

Value text_value(const std::string& text) { return text.empty() ? Value() : Value::of_bytes(text); }
Value count_value(std::uint64_t count) { return Value::of(static_cast<std::int64_t>(count)); }

template <typename T>
Value times_value(const Collected& file, std::optional<T> CollectedTimes::* member) {
  const std::optional<T> value = file.times ? (*file.times).*member : std::nullopt;
  if (!value) {
    return {};
  }
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    return count_value(*value);
  } else {
    return Value::of(*value);
  }
}

mpq::Field optional_text(std::string_view name) { return mpq::string_field(name).as_optional(); }
mpq::Field optional_double(std::string_view name) { return mpq::double_field(name).as_optional(); }
mpq::Field optional_count(std::string_view name) { return mpq::int64_field(name).as_optional(); }
mpq::Field optional_time(std::string_view name) { return mpq::timestamp_field(name).as_optional(); }

const std::vector<FilesColumn>& files_columns() {
  using File = const Collected&;
  static const std::vector<FilesColumn> columns = {
      {mpq::string_field("path"), [](File file) { return Value::of_bytes(file.path); }},
      {optional_text("device"), [](File file) { return text_value(file.device); }},
      {optional_text("firmware"), [](File file) { return text_value(file.firmware); }},
      {optional_text("session"), [](File file) { return text_value(file.session); }},
      {optional_text("split"), [](File file) { return text_value(file.split); }},
      {optional_text("started_at"), [](File file) { return text_value(file.started_at); }},
      {mpq::int64_field("rows"), [](File file) { return count_value(file.rows); }},
      {mpq::int64_field("rows_recovered"), [](File file) { return count_value(file.recovered); }},
      {mpq::int64_field("rows_lost"), [](File file) { return count_value(file.lost); }},
      {mpq::int64_field("rows_dropped"), [](File file) { return count_value(file.dropped); }},
      {optional_time("first_time"), [](File file) { return times_value(file, &CollectedTimes::first_us); }},
      {optional_time("last_time"), [](File file) { return times_value(file, &CollectedTimes::last_us); }},
      {optional_double("seconds"),
       [](File file) { return file.times ? Value::of(file.times->seconds) : Value(); }},
      {optional_double("rate_hz"), [](File file) { return times_value(file, &CollectedTimes::rate_hz); }},
      {optional_count("gaps"), [](File file) { return times_value(file, &CollectedTimes::gaps); }},
      {optional_count("rows_missing"), [](File file) { return times_value(file, &CollectedTimes::missing); }},
      {optional_double("longest_gap_seconds"),
       [](File file) { return times_value(file, &CollectedTimes::longest_gap); }},
      {mpq::int64_field("bytes"), [](File file) { return count_value(file.bytes); }},
      {mpq::int64_field("rows_checksum"), [](File file) { return count_value(file.marks.back().sum); }},
      {mpq::int64_field("file_id"), [](File file) { return count_value(file.file_id); }},
      {mpq::string_field("source"), [](File file) { return Value::of_bytes(file.source); }},
      {optional_text("in_image"), [](File file) { return text_value(file.in_image); }},
      {mpq::int64_field("source_bytes"), [](File file) { return count_value(file.source_bytes); }},
      {mpq::int64_field("source_checksum"), [](File file) { return count_value(file.source_sum); }},
      {mpq::string_field("schema"), [](File) { return Value(); }},  // write_rows() makes it
  };
  return columns;
}

Status write_rows(mpq::Writer& writer, const Lake& lake) {
  std::vector<Value> row(files_columns().size());
  Status status = Status::kOk;
  for (auto file = lake.files().begin(); file != lake.files().end() && status == Status::kOk; ++file) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = files_columns()[i].value(file->second);
    }
    const std::string schema = schema_text(file->second);
    row.back() = Value::of_bytes(schema);
    status = writer.append(row);
  }
  return status == Status::kOk ? writer.close() : status;
}

}  // namespace

void write_files_table(Lake& lake) {
  std::vector<mpq::Field> fields;
  for (const FilesColumn& column : files_columns()) {
    fields.push_back(column.field.with_encoder(mpq::kAutoOf<16384, 4096>));
  }
  mpq::Options options = mpq::desktop_options(1 << 20);
  options.row_group_rows = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(lake.files().size()));
  std::vector<std::uint64_t> arena(mpq::Writer::required_bytes(fields, options) / sizeof(std::uint64_t) + 1);
  mpq::PosixFile file;
  mpq::Writer writer;
  Status status = file.create(lake.work_path().c_str(), mpq::Existing::kOverwrite);
  if (status == Status::kOk) {
    status = writer.open(file, fields, options,
                         {reinterpret_cast<std::byte*>(arena.data()), arena.size() * sizeof arena[0]});
  }
  if (status == Status::kOk) {
    status = write_rows(writer, lake);
  }
  if (status == Status::kOk) {
    status = file.close();
  }
  if (status != Status::kOk) {
    const std::string path = lake.folder() + "/files.parquet";
    throw file.native_error() != 0 ? lake_failure(path, file.native_error())
                                   : LakeFailure(path + ": " + to_string(status));
  }
  lake.put("files.parquet");
}

}  // namespace mpq_tool
