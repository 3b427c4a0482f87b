// arrow_cpp_read FILE [crc]: reads `imu8` with Arrow C++ by its fastest way, typed batches of 65,536 values,
// and sums each column; prints seconds and sums. crc: page checksums are verified.
#include <parquet/api/reader.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "imu8_sums.h"

namespace {

using microparquet::bench::Imu8Sums;
using microparquet::bench::Stopwatch;

constexpr std::int64_t kBatch = 65536;

// A function of its own: inlined into a loop with calls, the sum would live in memory.
template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_batch(const std::vector<Value>& batch, std::int64_t count, Sum sum) {
  for (std::int64_t i = 0; i < count; ++i) sum += static_cast<Sum>(batch[static_cast<std::size_t>(i)]);
  return sum;
}

template <typename ColumnReader, typename Value, typename Sum>
void sum_column(parquet::RowGroupReader& group, int column, std::vector<Value>& batch, Sum& sum) {
  const auto reader = std::static_pointer_cast<ColumnReader>(group.Column(column));
  while (reader->HasNext()) {
    std::int64_t count = 0;
    reader->ReadBatch(kBatch, nullptr, nullptr, batch.data(), &count);
    sum = add_batch(batch, count, sum);
  }
}

Imu8Sums read(const char* path, const parquet::ReaderProperties& properties) {
  const auto file = parquet::ParquetFileReader::OpenFile(path, false, properties);
  std::vector<std::int64_t> int64s(kBatch);
  std::vector<std::int32_t> int32s(kBatch);
  std::vector<float> floats(kBatch);
  Imu8Sums sums;
  for (int i = 0; i < file->metadata()->num_row_groups(); ++i) {
    const auto group = file->RowGroup(i);
    sums.rows += group->metadata()->num_rows();
    sum_column<parquet::Int64Reader>(*group, 0, int64s, sums.ts);
    sum_column<parquet::Int32Reader>(*group, 1, int32s, sums.ints);
    for (int column : {2, 3, 4, 5}) sum_column<parquet::FloatReader>(*group, column, floats, sums.floats);
    for (int column : {6, 7}) sum_column<parquet::Int32Reader>(*group, column, int32s, sums.ints);
  }
  return sums;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  auto properties = parquet::default_reader_properties();
  if (argc > 2 && std::strcmp(argv[2], "crc") == 0) properties.set_page_checksum_verification(true);

  const Stopwatch stopwatch;
  const Imu8Sums sums = read(argv[1], properties);
  microparquet::bench::print_read(stopwatch.seconds(), sums);
}
