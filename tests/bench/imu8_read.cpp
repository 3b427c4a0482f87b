// imu8_read FILE [HOW]: reads `imu8` by the fastest way of this library, a mapped file, runs of values where they lie, or
// batches where they need decoding, page checksums verified, and sums each column; prints seconds and sums. HOW:
//
//   runs       the same
//   at_once    the same, of a file that is mapped at once: as it has nothing that is not read
//   file       not mapped
//   delivered  the same as at_once, without the sums
//   unchecked  the same as at_once, checksums not verified
//   batches    batches of 65,536 values
//   rows       row by row into a struct, by a StaticReader
#include <cstdio>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "imu8_sums.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/mapped_posix_file.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/port/run_values.h"
#include "microparquet/reader.h"
#include "microparquet/static_reader.h"
#include "support/imu8_rows.h"

namespace {

using namespace microparquet;

constexpr std::uint32_t kColumns = 8;

struct How {
  bool mapped = true;
  bool at_once = false;
  bool runs = true;
  bool sums = true;
  bool checked = true;
  bool rows = false;
};

How parse(std::string_view name) {
  How how;
  how.mapped = name != "file";
  how.at_once = name == "at_once" || name == "delivered" || name == "unchecked";
  how.sums = name != "delivered";
  how.checked = name != "unchecked";
  how.runs = name != "batches";
  how.rows = name == "rows";
  return how;
}

// Functions of their own: inlined into a loop with calls, the sum would live in memory.
template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_run(const ColumnRun& run, Sum sum) {
  each_value<Value>(run, [&sum](Value value) { sum += static_cast<Sum>(value); });
  return sum;
}
template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_values(Span<const Value> values, Sum sum) {
  for (const Value value : values) sum += static_cast<Sum>(value);
  return sum;
}

template <typename Value, typename Sum>
Status sum_column(Reader& reader, const How& how, std::size_t column, Sum& sum) {
  Status status = Status::kOk;
  if (how.runs) {
    ColumnRun run;
    while ((status = reader.next_run(column, run)) == Status::kOk) {
      if (how.sums) sum = add_run<Value>(run, sum);
    }
    if (status != Status::kUnsupported) return status;
  }
  constexpr std::size_t kBatch = 65536;
  static Value values[kBatch];
  Batch<Value> batch(Span<Value>(values, kBatch));
  while ((status = reader.next_batch(column, batch)) == Status::kOk) {
    if (how.sums) sum = add_values<Value>(batch.read(), sum);
  }
  return status;
}

Status sum_row_group(Reader& reader, const How& how, bench::Imu8Sums& sums) {
  sums.rows += static_cast<std::int64_t>(reader.row_group_rows());
  Status status = sum_column<std::int64_t>(reader, how, 0, sums.ts);
  if (status == Status::kEnd) status = sum_column<std::int32_t>(reader, how, 1, sums.ints);
  for (std::size_t column = 2; column < 6 && status == Status::kEnd; ++column) {
    status = sum_column<float>(reader, how, column, sums.floats);
  }
  for (std::size_t column = 6; column < kColumns && status == Status::kEnd; ++column) {
    status = sum_column<std::int32_t>(reader, how, column, sums.ints);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

template <typename File>
Status read_columns(const char* path, const How& how, bench::Imu8Sums& sums) {
  ReaderOptions options = desktop_reader_options();
  if (!how.checked) options.checksum = nullptr;
  const std::size_t bytes = Reader::required_bytes(kColumns, kColumns, options);
  const std::unique_ptr<std::byte[]> arena(new std::byte[bytes]);  // not set to zeros
  File file;
  if constexpr (std::is_same_v<File, MappedPosixFile>) file.map_at_once(how.at_once);
  Reader reader;
  Status status = file.open_for_reading(path);
  if (status == Status::kOk) status = reader.open(file, options, Span<std::byte>(arena.get(), bytes));
  if (status == Status::kOk) status = reader.choose_all();
  while (status == Status::kOk && (status = reader.next_row_group()) == Status::kOk) {
    status = sum_row_group(reader, how, sums);
  }
  if (status != Status::kEnd) return status;
  if (how.checked && reader.pages_checked() != reader.pages_read()) {
    std::fputs("pages without a checksum\n", stderr);
    return Status::kCorrupt;
  }
  return Status::kOk;
}

constexpr ReaderOptions kRowOptions = desktop_reader_options();

// The floats column after column, as all readers add them up, would need the rows twice: their sums are not printed.
Status read_rows(const char* path, bench::Imu8Sums& sums) {
  static StaticReader<bench::kImu8Schema, kRowOptions> log;
  MappedPosixFile file;
  Status status = file.open_for_reading(path);
  if (status == Status::kOk) status = log.open(file);
  bench::Imu8Row row = {};
  while (status == Status::kOk && (status = log.next(row)) == Status::kOk) {
    ++sums.rows;
    sums.ts += row.ts;
    sums.ints += std::int64_t{row.seq} + row.status + row.battery_mv;
    sums.floats += static_cast<double>(row.ax) + static_cast<double>(row.ay) + static_cast<double>(row.az) +
                   static_cast<double>(row.temp);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

Status read(const char* path, const How& how, bench::Imu8Sums& sums) {
  if (how.rows) return read_rows(path, sums);
  return how.mapped ? read_columns<MappedPosixFile>(path, how, sums)
                    : read_columns<PosixFile>(path, how, sums);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const How how = parse(argc > 2 ? argv[2] : "runs");
  bench::Imu8Sums sums;

  const bench::Stopwatch stopwatch;
  const Status status = read(argv[1], how, sums);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  if (how.sums && !how.rows) {
    bench::print_read(seconds, sums);
  } else {
    std::printf("%.6f\n", seconds);
  }
}
