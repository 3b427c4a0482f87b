// imu8_read_threads FILE THREADS: reads `imu8` with a Reader a thread, each of columns of its own, and sums each column;
// prints seconds on the clock and sums.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "imu8_sums.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/mapped_posix_file.h"
#include "microparquet/port/run_values.h"
#include "microparquet/reader.h"

namespace {

using namespace microparquet;

constexpr std::uint32_t kColumns = 8;

// Sums of the columns; each is set by one thread.
struct Sums {
  std::int64_t rows = 0;
  std::int64_t ints[kColumns] = {};
  double floats[kColumns] = {};
};

template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_run(const ColumnRun& run, Sum sum) {
  each_value<Value>(run, [&sum](Value value) { sum += static_cast<Sum>(value); });
  return sum;
}

template <typename Value, typename Sum>
Status sum_column(Reader& reader, std::size_t i, Sum& sum) {
  ColumnRun run;
  Status status = Status::kOk;
  while ((status = reader.next_run(i, run)) == Status::kOk) sum = add_run<Value>(run, sum);
  return status == Status::kEnd ? Status::kOk : status;
}

// A thread with all that it needs: nothing of a Reader is shared, and many may read a file.
Status sum_columns(MappedPosixFile& file, const std::vector<std::uint32_t>& columns, Sums& sums) {
  const ReaderOptions options = desktop_reader_options();
  const std::size_t bytes = Reader::required_bytes(kColumns, columns.size(), options);
  const std::unique_ptr<std::byte[]> arena(new std::byte[bytes]);
  Reader reader;
  Status status = reader.open(file, options, Span<std::byte>(arena.get(), bytes));
  if (status == Status::kOk)
    status = reader.choose(Span<const std::uint32_t>(columns.data(), columns.size()));
  while (status == Status::kOk && (status = reader.next_row_group()) == Status::kOk) {
    for (std::size_t i = 0; i < columns.size() && status == Status::kOk; ++i) {
      const std::uint32_t column = columns[i];
      switch (reader.column_type(column)) {
        case Type::kInt64: status = sum_column<std::int64_t>(reader, i, sums.ints[column]); break;
        case Type::kInt32: status = sum_column<std::int32_t>(reader, i, sums.ints[column]); break;
        default: status = sum_column<float>(reader, i, sums.floats[column]); break;
      }
    }
  }
  return status == Status::kEnd ? Status::kOk : status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto count = static_cast<std::size_t>(std::strtoul(argv[2], nullptr, 10));
  std::vector<std::vector<std::uint32_t>> columns(count);
  for (std::uint32_t column = 0; column < kColumns; ++column) columns[column % count].push_back(column);
  std::vector<Status> results(count, Status::kOk);
  Sums sums;

  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  std::vector<MappedPosixFile> files(count);
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      results[i] = files[i].open_for_reading(argv[1]);
      if (results[i] == Status::kOk) results[i] = sum_columns(files[i], columns[i], sums);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const Status status : results) {
    if (status == Status::kOk) continue;
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  const std::int64_t ints = sums.ints[0] + sums.ints[1] + sums.ints[6] + sums.ints[7];
  const double floats = sums.floats[2] + sums.floats[3] + sums.floats[4] + sums.floats[5];
  std::printf("%.6f %lld %.6f\n", seconds, static_cast<long long>(ints), floats);
}
