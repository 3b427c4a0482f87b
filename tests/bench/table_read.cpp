// table_read FILE: reads a table (tables.h) by the fastest way of this library, a mapped file, in runs or batches, page checksums
// verified, and sums what is there; prints seconds and sums.
#include <cstdio>
#include <memory>
#include <vector>

#include "imu8_sums.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/mapped_posix_file.h"
#include "microparquet/reader.h"

namespace {

using namespace microparquet;

constexpr std::size_t kBatch = 65536;

// A function of its own: inlined into a loop with calls, the sum would live in memory.
template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_values(const Value* values, std::size_t count, Sum sum) {
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<Sum>(values[i]);
  return sum;
}

// Booleans, as many at a time as a byte can count: GCC would make 64 bits of each one before it adds it, which took twice
// as long as to read it. The peer does the same.
[[gnu::noinline]] std::int64_t add_values(const bool* values, std::size_t count, std::int64_t sum) {
  constexpr std::size_t kMost = 255;
  for (std::size_t i = 0; i < count;) {
    const std::size_t end = count - i < kMost ? count : i + kMost;
    std::uint8_t part = 0;
    for (; i < end; ++i) part = static_cast<std::uint8_t>(part + (values[i] ? 1 : 0));
    sum += part;
  }
  return sum;
}

template <typename Value, typename Sum>
[[gnu::noinline]] Sum add_run(const ColumnRun& run, Sum sum) {
  for (std::size_t i = 0; i < run.rows; ++i) sum += static_cast<Sum>(run.value<Value>(i));
  return sum;
}

template <typename Value, typename Sum>
Status sum_column(Reader& reader, std::size_t column, Value* values, std::uint8_t* levels, Sum& sum) {
  ColumnRun run;
  Status status = Status::kOk;
  if (reader.max_definition_level(static_cast<std::uint32_t>(column)) == 0) {
    while ((status = reader.next_run(column, run)) == Status::kOk) sum = add_run<Value>(run, sum);
    if (status != Status::kUnsupported) return status == Status::kEnd ? Status::kOk : status;
  }
  Batch<Value> batch(Span<Value>(values, kBatch), levels);
  while ((status = reader.next_batch(column, batch)) == Status::kOk) {
    sum = add_values(values, batch.value_count, sum);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

// Items of lists: values of all, two levels each.
Status sum_items(Reader& reader, std::size_t column, std::int32_t* values, std::uint8_t* levels,
                 std::uint8_t* repetition, std::int64_t& sum) {
  Batch<std::int32_t> batch(Span<std::int32_t>(values, kBatch), levels, repetition);
  Status status = Status::kOk;
  while ((status = reader.next_items(column, batch)) == Status::kOk) {
    sum = add_values(values, batch.value_count, sum);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

struct Buffers {
  std::unique_ptr<bool[]> bools{new bool[kBatch]};
  std::vector<std::int32_t> ints = std::vector<std::int32_t>(kBatch);
  std::vector<double> doubles = std::vector<double>(kBatch);
  std::vector<std::uint8_t> levels = std::vector<std::uint8_t>(kBatch);
  std::vector<std::uint8_t> repetition = std::vector<std::uint8_t>(kBatch);
};

Status sum_row_group(Reader& reader, Buffers& buffers, bench::Imu8Sums& sums) {
  sums.rows += static_cast<std::int64_t>(reader.row_group_rows());
  Status status = Status::kOk;
  std::uint8_t* const levels = buffers.levels.data();
  for (std::size_t i = 0; i < reader.chosen() && status == Status::kOk; ++i) {
    const auto column = static_cast<std::uint32_t>(i);
    if (reader.max_repetition_level(column) != 0) {
      status = sum_items(reader, i, buffers.ints.data(), levels, buffers.repetition.data(), sums.ints);
      continue;
    }
    switch (reader.column_type(column)) {
      case Type::kBoolean: status = sum_column(reader, i, buffers.bools.get(), levels, sums.ints); break;
      case Type::kInt32: status = sum_column(reader, i, buffers.ints.data(), levels, sums.ints); break;
      default: status = sum_column(reader, i, buffers.doubles.data(), levels, sums.floats); break;
    }
  }
  return status;
}

Status choose(Reader& reader) {
  std::vector<ColumnChoice> choices;
  for (std::uint32_t i = 0; i < reader.columns(); ++i) choices.push_back({i});
  return reader.choose_items(Span<const ColumnChoice>(choices.data(), choices.size()));
}

Status read(const char* path, bench::Imu8Sums& sums) {
  ReaderOptions options = desktop_reader_options();
  options.buffer_bytes = 4096;  // for headers alone: pages are read where they are
  MappedPosixFile file;
  file.map_at_once(true);
  Reader reader;
  Buffers buffers;
  const std::size_t bytes = Reader::required_bytes(1000, 1000, options);
  const std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);  // not set to zeros
  Status status = file.open_for_reading(path);
  if (status == Status::kOk) status = reader.open(file, options, Span<std::byte>(memory.get(), bytes));
  if (status == Status::kOk) status = choose(reader);
  while (status == Status::kOk && (status = reader.next_row_group()) == Status::kOk) {
    status = sum_row_group(reader, buffers, sums);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  bench::Imu8Sums sums;
  const bench::Stopwatch stopwatch;
  const Status status = read(argv[1], sums);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  bench::print_read(seconds, sums);
}
