// imu8_write FILE ROWS [FORM]: writes `imu8` by the fastest way of this library, in place, one row group, page
// checksums and statistics included; prints the seconds of the processor from create to close. FORM:
//
//   plain       PLAIN
//   values      PLAIN, row by row as Values
//   device      PLAIN, in pages of 512 bytes as devices write them
//   delta       integers as differences
//   dictionary  the same, but `temp` and `status` as indices into dictionaries
//   small       as delta, but `temp` as indices into a dictionary, other floats split and compressed
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "imu8_columns.h"
#include "imu8_sums.h"
#include "microparquet/codecs.h"
#include "microparquet/encoders.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/writer.h"
#include "support/imu8_schema.h"

namespace {

using namespace microparquet;

bool is_plain(std::string_view form) { return form == "plain" || form == "values" || form == "device"; }

Options make_options(std::uint32_t rows, std::string_view form) {
  Options options = desktop_options(rows);
  if (form == "device") options.page_bytes = 512;
  if (is_plain(form)) return options;
  // Half of what the rows take in PLAIN: extents have that size.
  options.row_group_rows = 0;
  options.row_group_bytes = rows * 20;
  return options;
}

constexpr std::size_t kColumns = std::size(bench::kImu8Fields);
using Fields = std::array<Field, kColumns>;

Field field_of(const Field& field, std::string_view form) {
  const DictionaryEncoders& dictionary = kDictionaryOf<8192, 2048>;
  const bool is_float = field.type == Type::kFloat;
  if (is_plain(form)) return field;
  if (form == "dictionary" && (field.name == "temp" || field.name == "status")) {
    return field.with_encoder(dictionary);
  }
  if (!is_float) return field.with_encoder(kDeltaBinaryPacked);
  if (form != "small") return field;
  return field.name == "temp" ? field.with_encoder(dictionary)
                              : field.with_encoder(kByteStreamSplit).with_compressor(kLz4RawCompressor);
}

Fields fields_of(std::string_view form) {
  Fields fields;
  for (std::size_t i = 0; i < kColumns; ++i) fields[i] = field_of(bench::kImu8Fields[i], form);
  return fields;
}

Status append_columns(Writer& writer, const bench::Imu8Columns& columns) {
  const ColumnData data[] = {{columns.ts.data()},     {columns.seq.data()},       {columns.ax.data()},
                             {columns.ay.data()},     {columns.az.data()},        {columns.temp.data()},
                             {columns.status.data()}, {columns.battery_mv.data()}};
  return writer.append_columns(data, columns.ts.size());
}

Status append_values(Writer& writer, const bench::Imu8Columns& columns) {
  Status status = Status::kOk;
  for (std::size_t i = 0; i < columns.ts.size() && status == Status::kOk; ++i) {
    const Value row[] = {Value::of(columns.ts[i]),     Value::of(columns.seq[i]),
                         Value::of(columns.ax[i]),     Value::of(columns.ay[i]),
                         Value::of(columns.az[i]),     Value::of(columns.temp[i]),
                         Value::of(columns.status[i]), Value::of(columns.battery_mv[i])};
    status = writer.append(row);
  }
  return status;
}

Status write(const char* path, const bench::Imu8Columns& columns, const Fields& fields,
             const Options& options, bool by_values, Span<std::byte> arena) {
  PosixFile file;
  file.allocate_ahead(false);
  Writer writer;
  Status status = file.create(path, microparquet::Existing::kOverwrite);
  if (status == Status::kOk) status = writer.open(file, Schema(fields.data(), fields.size()), options, arena);
  if (status == Status::kOk)
    status = by_values ? append_values(writer, columns) : append_columns(writer, columns);
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = file.close();
  // Only PLAIN's bytes are known before the first row: of the other forms, rows are left for a second row group.
  const bool is_known = fields[0].encoder == &kPlainFixed;
  if (status == Status::kOk && writer.row_groups() > (is_known ? 1U : 2U)) {
    std::fprintf(stderr, "%u row groups\n", static_cast<unsigned>(writer.row_groups()));
    return Status::kInvalidArgument;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const bench::Imu8Columns columns(static_cast<std::int32_t>(std::strtol(argv[2], nullptr, 10)));
  const std::string_view form = argc > 3 ? argv[3] : "plain";
  const Options options = make_options(static_cast<std::uint32_t>(columns.ts.size()), form);
  const Fields fields = fields_of(form);

  const bench::Stopwatch stopwatch;
  const std::size_t bytes = Writer::required_bytes(Schema(fields.data(), fields.size()), options);
  const std::unique_ptr<std::byte[]> arena(new std::byte[bytes]);  // not set to zeros
  const Status status =
      write(argv[1], columns, fields, options, form == "values", Span<std::byte>(arena.get(), bytes));
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  std::printf("%.6f\n", seconds);
}
