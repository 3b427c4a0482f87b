// The flash of a queue before the writer: rows from a RowQueue or, in memory that survives a reset, from a RetainedQueue.
#include "counting_file.h"
#include "imu8_log.h"
#include "microparquet/retained_queue.h"
#include "microparquet/row_queue.h"
#include "opaque.h"

namespace {
using namespace microparquet;

bench::CountingFile file;
#if MICROPARQUET_BENCH_CALLS
bench::Imu8Writer log_writer;
#if MICROPARQUET_BENCH_RETAINED
[[gnu::section(
    ".noinit")]] RetainedQueue<bench::Imu8Row, 63, retained_layout(bench::kImu8Schema.fields)> queue;
#else
RowQueue<bench::Imu8Row, 63> queue;
#endif
#endif
}  // namespace

int main() {
  bench::Imu8Row row;
  bench::opaque(row);
  bench::opaque(file);
#if MICROPARQUET_BENCH_CALLS
#if MICROPARQUET_BENCH_RETAINED
  static_cast<void>(queue.begin());
#endif
  queue.push(row);
  Status status = log_writer.resume(file);
  if (status == Status::kOk) status = queue.drain(log_writer);
  if (status == Status::kOk) status = log_writer.tick(1000);
  if (status == Status::kOk) status = log_writer.close();
  return static_cast<int>(status);
#else
  return 0;
#endif
}
