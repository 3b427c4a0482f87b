// imu8_write FILE ROWS: writes `imu8` by the fastest way of this library, in place, one row group, page
// checksums and statistics included; prints the seconds from create to close.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "imu8_columns.h"
#include "imu8_sums.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/writer.h"
#include "support/imu8_schema.h"

namespace {

using namespace microparquet;

Options make_options(std::uint32_t rows) {
  Options options;
  options.page_bytes = 64 * 1024;
  options.row_group_bytes = rows * 40;  // all rows: 36 bytes each, and what the page headers take
  options.checksum = crc32_hardware;
  return options;
}

Status write(const char* path, const bench::Imu8Columns& columns, const Options& options,
             Span<std::byte> arena) {
  const ColumnData data[] = {{columns.ts.data()},     {columns.seq.data()},       {columns.ax.data()},
                             {columns.ay.data()},     {columns.az.data()},        {columns.temp.data()},
                             {columns.status.data()}, {columns.battery_mv.data()}};
  PosixFile file;
  Writer writer;
  Status status = file.create(path, microparquet::Existing::kOverwrite);
  if (status == Status::kOk) status = writer.open(file, bench::kImu8Fields, options, arena);
  if (status == Status::kOk) status = writer.append_columns(data, columns.ts.size());
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = file.close();
  if (status == Status::kOk && writer.row_groups() != 1) {
    std::fprintf(stderr, "%u row groups instead of one\n", static_cast<unsigned>(writer.row_groups()));
    return Status::kInvalidArgument;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const bench::Imu8Columns columns(static_cast<std::int32_t>(std::strtol(argv[2], nullptr, 10)));
  const Options options = make_options(static_cast<std::uint32_t>(columns.ts.size()));

  const bench::Stopwatch stopwatch;
  std::vector<std::byte> arena(Writer::required_bytes(bench::kImu8Fields, options));
  const Status status = write(argv[1], columns, options, arena);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  std::printf("%.6f\n", seconds);
}
