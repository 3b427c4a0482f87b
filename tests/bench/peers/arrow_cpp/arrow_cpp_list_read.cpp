// arrow_cpp_list_read FILE: reads lists of int32 (tests/bench/peers/arrow_rs/src/tables.rs) with Arrow C++ by its fastest way,
// typed batches of 65,536 items with their levels, and sums each column; prints seconds and sums.
#include <parquet/api/reader.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "imu8_sums.h"

namespace {

using microparquet::bench::Imu8Sums;
using microparquet::bench::Stopwatch;

constexpr std::int64_t kBatch = 65536;

// A function of its own: inlined into a loop with calls, the sum would live in memory.
[[gnu::noinline]] std::int64_t add_batch(const std::vector<std::int32_t>& batch, std::int64_t count,
                                         std::int64_t sum) {
  for (std::int64_t i = 0; i < count; ++i) sum += batch[static_cast<std::size_t>(i)];
  return sum;
}

Imu8Sums read(const char* path) {
  const auto file = parquet::ParquetFileReader::OpenFile(path);
  std::vector<std::int32_t> values(kBatch);
  std::vector<std::int16_t> levels(kBatch);
  std::vector<std::int16_t> repetition(kBatch);
  Imu8Sums sums;
  for (int i = 0; i < file->metadata()->num_row_groups(); ++i) {
    const auto group = file->RowGroup(i);
    sums.rows += group->metadata()->num_rows();
    for (int column = 0; column < group->metadata()->num_columns(); ++column) {
      const auto reader = std::static_pointer_cast<parquet::Int32Reader>(group->Column(column));
      while (reader->HasNext()) {
        std::int64_t count = 0;
        reader->ReadBatch(kBatch, levels.data(), repetition.data(), values.data(), &count);
        sums.ints = add_batch(values, count, sums.ints);
      }
    }
  }
  return sums;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Stopwatch stopwatch;
  const Imu8Sums sums = read(argv[1]);
  microparquet::bench::print_read(stopwatch.seconds(), sums);
}
