// imu8_write FILE ROWS [FORM]: writes `imu8` by the fastest way of this library, in place, one row group, page
// checksums and statistics included; prints the seconds of the processor from create to close. FORM:
//
//   plain       PLAIN
//   delta       integers as differences
//   dictionary  the same, but `temp` and `status` as indices into dictionaries
//   small       as delta, but `temp` as indices into a dictionary, other floats split and compressed
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "imu8_columns.h"
#include "imu8_sums.h"
#include "microparquet/byte_stream_split_encoder.h"
#include "microparquet/delta_encoder.h"
#include "microparquet/dictionary_encoder.h"
#include "microparquet/lz4_raw_compressor.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/writer.h"
#include "support/imu8_schema.h"

namespace {

using namespace microparquet;

Options make_options(std::uint32_t rows, std::string_view form) {
  Options options;
  options.page_bytes = 64 * 1024;
  // All rows: 36 bytes each, and what the page headers take; or at most half of it.
  options.row_group_bytes = rows * (form == "plain" ? 40 : 20);
  options.checksum = crc32_hardware;
  return options;
}

constexpr std::size_t kColumns = std::size(bench::kImu8Fields);
using Fields = std::array<Field, kColumns>;

Field field_of(const Field& field, std::string_view form) {
  const DictionaryEncoders& dictionary = kDictionaryOf<8192, 2048>;
  const bool is_float = field.type == Type::kFloat;
  if (form == "plain") return field;
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

Status write(const char* path, const bench::Imu8Columns& columns, const Fields& fields,
             const Options& options, Span<std::byte> arena) {
  const ColumnData data[] = {{columns.ts.data()},     {columns.seq.data()},       {columns.ax.data()},
                             {columns.ay.data()},     {columns.az.data()},        {columns.temp.data()},
                             {columns.status.data()}, {columns.battery_mv.data()}};
  PosixFile file;
  Writer writer;
  Status status = file.create(path, microparquet::Existing::kOverwrite);
  if (status == Status::kOk) status = writer.open(file, Schema(fields.data(), fields.size()), options, arena);
  if (status == Status::kOk) status = writer.append_columns(data, columns.ts.size());
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = file.close();
  // Only PLAIN's bytes are known before the first row: of the other forms, rows are left for a second row group.
  const bool is_plain = fields[0].encoder == &kPlainFixed;
  if (status == Status::kOk && writer.row_groups() > (is_plain ? 1U : 2U)) {
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
  std::vector<std::byte> arena(Writer::required_bytes(Schema(fields.data(), fields.size()), options));
  const Status status = write(argv[1], columns, fields, options, arena);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  std::printf("%.6f\n", seconds);
}
