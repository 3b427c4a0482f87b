// imu8_read FILE: reads `imu8` by the fastest way of this library, runs of values where they lie, page
// checksums verified, and sums each column; prints seconds and sums.
#include <cstdio>
#include <vector>

#include "imu8_sums.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/reader.h"

namespace {

using namespace microparquet;

constexpr std::uint32_t kColumns = 8;

ReaderOptions make_options() {
  ReaderOptions options;
  options.buffer_bytes = 128 * 1024;
  options.footer_bytes = 4096;
  options.checksum = crc32_hardware;
  return options;
}

// A function of its own: inlined into a loop with calls, the sum would live in memory.
template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_run(const ColumnRun& run, Sum sum) {
  for (std::size_t i = 0; i < run.rows; ++i) sum += static_cast<Sum>(run.value<Value>(i));
  return sum;
}

template <typename Value, typename Sum>
Status sum_column(Reader& reader, std::size_t column, Sum& sum) {
  ColumnRun run;
  Status status = Status::kOk;
  while ((status = reader.next_run(column, run)) == Status::kOk) sum = add_run<Value>(run, sum);
  return status == Status::kEnd ? Status::kOk : status;
}

Status sum_row_group(Reader& reader, bench::Imu8Sums& sums) {
  sums.rows += static_cast<std::int64_t>(reader.row_group_rows());
  Status status = sum_column<std::int64_t>(reader, 0, sums.ts);
  if (status == Status::kOk) status = sum_column<std::int32_t>(reader, 1, sums.ints);
  for (std::size_t column = 2; column < 6 && status == Status::kOk; ++column) {
    status = sum_column<float>(reader, column, sums.floats);
  }
  for (std::size_t column = 6; column < kColumns && status == Status::kOk; ++column) {
    status = sum_column<std::int32_t>(reader, column, sums.ints);
  }
  return status;
}

Status read(const char* path, const ReaderOptions& options, Span<std::byte> arena, bench::Imu8Sums& sums) {
  PosixFile file;
  Reader reader;
  Status status = file.open_for_reading(path);
  if (status == Status::kOk) status = reader.open(file, options, arena);
  if (status == Status::kOk) status = reader.choose_all();
  while (status == Status::kOk && (status = reader.next_row_group()) == Status::kOk) {
    status = sum_row_group(reader, sums);
  }
  if (status != Status::kEnd) return status;
  if (reader.pages_checked() != reader.pages_read()) {
    std::fputs("pages without a checksum\n", stderr);
    return Status::kCorrupt;
  }
  return Status::kOk;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const ReaderOptions options = make_options();
  bench::Imu8Sums sums;

  const bench::Stopwatch stopwatch;
  std::vector<std::byte> arena(Reader::required_bytes(kColumns, kColumns, options));
  const Status status = read(argv[1], options, arena, sums);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  bench::print_read(seconds, sums);
}
