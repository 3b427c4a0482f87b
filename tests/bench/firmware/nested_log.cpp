// A writer of structs, arrays and lists beside one of flat columns. With MICROPARQUET_BENCH_ROWS its instructions: that many rows into a
// file of the host. Without, its flash and RAM: a call of each kind. The twin makes the rows and does nothing with them.
#include "counting_file.h"
#include "microparquet/encoders.h"
#include "microparquet/port/semihosting_file.h"
#include "microparquet/static_nested_writer.h"
#include "opaque.h"

#define KIND_FLAT 0
#define KIND_STRUCT 1
#define KIND_ARRAY 2
#define KIND_STRUCTS 3  // an array of them
#define KIND_NONE 4     // the time alone
#define KIND_LIST 5
#define KIND_LISTS 6  // a list of structs
#define KIND_OPTIONAL 7
#define KIND_LIST_DELTA 8  // a list of integers, as differences

namespace {
using namespace microparquet;

struct Pair {
  float a, b;
};
struct Axes {
  std::int16_t x, y, z;
};
struct Row {
  std::int64_t time_us;
#if MICROPARQUET_BENCH_KIND == KIND_FLAT || MICROPARQUET_BENCH_KIND == KIND_STRUCT
  Pair pair;
#elif MICROPARQUET_BENCH_KIND == KIND_ARRAY
  std::array<float, 32> values;
#elif MICROPARQUET_BENCH_KIND == KIND_STRUCTS
  std::array<Axes, 32> values;
#elif MICROPARQUET_BENCH_KIND == KIND_LIST
  List<float, 32> values;
#elif MICROPARQUET_BENCH_KIND == KIND_LISTS
  List<Axes, 32> values;
#elif MICROPARQUET_BENCH_KIND == KIND_LIST_DELTA
  List<std::int32_t, 32> values;
#elif MICROPARQUET_BENCH_KIND == KIND_OPTIONAL
  std::optional<float> a, b;
#endif
};

inline constexpr auto kLogSchema =
#if MICROPARQUET_BENCH_KIND == KIND_FLAT
    schema(timestamp_us_column("time", &Row::time_us),
           column<Row>("a", [](auto& row) -> auto& { return row.pair.a; }),
           column<Row>("b", [](auto& row) -> auto& { return row.pair.b; }));
#elif MICROPARQUET_BENCH_KIND == KIND_STRUCT
    schema(timestamp_us_column("time", &Row::time_us),
           group("pair", &Row::pair, column("a", &Pair::a), column("b", &Pair::b)));
#elif MICROPARQUET_BENCH_KIND == KIND_OPTIONAL
    schema(timestamp_us_column("time", &Row::time_us), column("a", &Row::a), column("b", &Row::b));
#elif MICROPARQUET_BENCH_KIND == KIND_ARRAY || MICROPARQUET_BENCH_KIND == KIND_LIST
    schema(timestamp_us_column("time", &Row::time_us), list("values", &Row::values));
#elif MICROPARQUET_BENCH_KIND == KIND_LIST_DELTA
    schema(timestamp_us_column("time", &Row::time_us),
           list("values", &Row::values).with_encoder(kDeltaBinaryPacked));
#elif MICROPARQUET_BENCH_KIND == KIND_STRUCTS || MICROPARQUET_BENCH_KIND == KIND_LISTS
    schema(timestamp_us_column("time", &Row::time_us),
           list("values", &Row::values, column("x", &Axes::x), column("y", &Axes::y), column("z", &Axes::z)));
#else
    schema(timestamp_us_column("time", &Row::time_us));
#endif

inline constexpr Options kLogOptions = [] {
  Options options;
  options.page_bytes = MICROPARQUET_BENCH_PAGE_BYTES;
  return options;
}();

#ifdef MICROPARQUET_BENCH_ROWS
SemihostingFile file;
#else
bench::CountingFile file;
#endif
#if MICROPARQUET_BENCH_CALLS
StaticWriter<kLogSchema, kLogOptions> log_writer;
#endif
Row log_row;

[[gnu::noinline]] void make(std::int32_t i, Row& row) {
  row.time_us = 1'700'000'000'000'000 + std::int64_t{i} * 10'000;
#if MICROPARQUET_BENCH_KIND == KIND_FLAT || MICROPARQUET_BENCH_KIND == KIND_STRUCT
  row.pair = {static_cast<float>(i), 2};
#elif MICROPARQUET_BENCH_KIND == KIND_ARRAY
  for (std::int32_t k = 0; k < 32; ++k) row.values[static_cast<std::size_t>(k)] = static_cast<float>(i + k);
#elif MICROPARQUET_BENCH_KIND == KIND_STRUCTS
  for (Axes& axes : row.values) axes = {static_cast<std::int16_t>(i), 1, 2};
#elif MICROPARQUET_BENCH_KIND == KIND_LIST
  row.values.clear();
  for (std::int32_t k = 0; k < 32; ++k) row.values.push_back(static_cast<float>(i + k));
#elif MICROPARQUET_BENCH_KIND == KIND_LIST_DELTA
  row.values.clear();
  for (std::int32_t k = 0; k < 32; ++k) row.values.push_back(i + k);
#elif MICROPARQUET_BENCH_KIND == KIND_LISTS
  row.values.clear();
  while (row.values.push_back({static_cast<std::int16_t>(i), 1, 2})) {
  }
#elif MICROPARQUET_BENCH_KIND == KIND_OPTIONAL
  row.a.reset();
  row.b.reset();
  if (i % 8 < 5) row.a = static_cast<float>(i), row.b = 2.F;
#endif
}

#if MICROPARQUET_BENCH_CALLS
[[gnu::noinline]] Status append_struct(const Row& row) { return log_writer.append(row); }
#endif

Status run(std::int32_t rows) {
  Status status = Status::kOk;
#if MICROPARQUET_BENCH_CALLS
  status = log_writer.open(file);
#endif
  for (std::int32_t i = 0; i < rows && status == Status::kOk; ++i) {
    make(i, log_row);
#if MICROPARQUET_BENCH_CALLS
    status = append_struct(log_row);
#else
    bench::opaque(log_row);
#endif
  }
#if MICROPARQUET_BENCH_CALLS
  if (status == Status::kOk) status = log_writer.tick(1000);
  if (status == Status::kOk) status = log_writer.close();
#endif
  return status;
}

}  // namespace

int main() {
#ifdef MICROPARQUET_BENCH_ROWS
  Status status = file.create("nested.parquet", microparquet::Existing::kOverwrite);
  if (status == Status::kOk) status = run(MICROPARQUET_BENCH_ROWS);
  if (status == Status::kOk) status = file.close();
  return static_cast<int>(status);
#else
  bench::opaque(file);
  return static_cast<int>(run(1));
#endif
}
