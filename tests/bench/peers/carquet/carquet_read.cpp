// carquet_read FILE: reads `imu8` with carquet by its fastest way, a mapped file and 4,096 values a call, page checksums
// not verified, and sums each column; prints seconds and sums.
#include <carquet/carquet.h>

#include <cstdint>
#include <cstdio>

#include "imu8_sums.h"

namespace {

using microparquet::bench::Imu8Sums;
using microparquet::bench::Stopwatch;

constexpr std::int64_t kBatch = 4096;

// A function of its own: inlined into a loop with calls, the sum would live in memory.
template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_batch(const Value* values, std::int64_t count, Sum sum) {
  for (std::int64_t i = 0; i < count; ++i) sum += static_cast<Sum>(values[i]);
  return sum;
}

template <typename Value, typename Sum>
bool sum_column(carquet_reader_t* reader, int row_group, int column, Sum& sum) {
  static Value batch[kBatch];
  carquet_error_t error = {};
  carquet_column_reader_t* const values = carquet_reader_get_column(reader, row_group, column, &error);
  if (values == nullptr) return false;
  std::int64_t count = 0;
  while ((count = carquet_column_read_batch(values, batch, kBatch, nullptr, nullptr)) > 0)
    sum = add_batch(batch, count, sum);
  carquet_column_reader_free(values);
  return count == 0;
}

bool sum_row_group(carquet_reader_t* reader, int row_group, Imu8Sums& sums) {
  bool sound = sum_column<std::int64_t>(reader, row_group, 0, sums.ts) &&
               sum_column<std::int32_t>(reader, row_group, 1, sums.ints);
  for (int column = 2; column < 6; ++column)
    sound = sound && sum_column<float>(reader, row_group, column, sums.floats);
  for (int column = 6; column < 8; ++column)
    sound = sound && sum_column<std::int32_t>(reader, row_group, column, sums.ints);
  return sound;
}

bool read(const char* path, Imu8Sums& sums) {
  carquet_error_t error = {};
  carquet_reader_options_t options;
  carquet_reader_options_init(&options);
  options.use_mmap = true;
  options.verify_checksums = false;
  options.num_threads = 1;
  carquet_reader_t* const reader = carquet_reader_open(path, &options, &error);
  if (reader == nullptr) return false;
  sums.rows = carquet_reader_num_rows(reader);
  bool sound = true;
  for (int i = 0; i < carquet_reader_num_row_groups(reader); ++i)
    sound = sound && sum_row_group(reader, i, sums);
  carquet_reader_close(reader);
  return sound;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  Imu8Sums sums;
  const Stopwatch stopwatch;
  const bool sound = read(argv[1], sums);
  const double seconds = stopwatch.seconds();
  if (!sound) {
    std::fprintf(stderr, "%s cannot be read\n", argv[1]);
    return 1;
  }
  microparquet::bench::print_read(seconds, sums);
}
