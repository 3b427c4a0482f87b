// The instructions of RetainedQueue::push: 100,000 rows of three columns, 16 bytes. What takes them out again is not counted.
#include "microparquet/retained_queue.h"
#include "opaque.h"

namespace {
using namespace microparquet;

constexpr std::int32_t kRows = 100'000;
constexpr std::uint32_t kDepth = 50;

struct Row {
  std::int64_t time;
  float temperature;
  float humidity;
};

#if MICROPARQUET_BENCH_CALLS
// A file in which rows are durable at once.
class Sink {
 public:
  Status append(const Row& /*row*/) {
    ++rows_;
    return Status::kOk;
  }
  static Status checkpoint() { return Status::kOk; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t durable_rows() const { return rows_; }
  std::uint64_t safe_rows() const { return durable_rows(); }
  static std::uint32_t file_id() { return 1; }

 private:
  std::uint32_t rows_ = 0;
};

[[gnu::section(".noinit")]] RetainedQueue<Row, kDepth> queue;
Sink sink;

[[gnu::noinline, gnu::flatten]] bool let_go() {
  const Status status = queue.drain(sink);
  queue.settle(sink);
  return status == Status::kOk && queue.pending() == 0;
}
#endif

[[gnu::noinline]] bool take(const Row& row) {
#if MICROPARQUET_BENCH_CALLS
  return queue.push(row);
#else
  bench::opaque(row);
  return true;
#endif
}

}  // namespace

int main() {
#if MICROPARQUET_BENCH_CALLS
  static_cast<void>(queue.begin());
#endif
  for (std::int32_t i = 0; i < kRows; ++i) {
    Row row{i, 20.0F, 40.0F};
    bench::opaque(row);
    if (!take(row)) return 1;
#if MICROPARQUET_BENCH_CALLS
    if (i % kDepth == kDepth - 1 && !let_go()) return 1;
#endif
  }
  return 0;
}
