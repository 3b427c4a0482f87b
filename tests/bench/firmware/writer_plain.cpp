// The writer's flash: open, append and close of `imu8`; with checkpoints tick() as well; with resume that
// instead of open, which it includes; with saves save(). The twin has the row and the file, and no call.
#include "counting_file.h"
#include "imu8_log.h"
#include "opaque.h"

namespace {
using namespace microparquet;

bench::CountingFile file;
#if MICROPARQUET_BENCH_CALLS
bench::Imu8Writer log_writer;
#endif
}  // namespace

int main() {
  bench::Imu8Row row;
  bench::opaque(row);
  bench::opaque(file);
#if MICROPARQUET_BENCH_CALLS
#if MICROPARQUET_BENCH_RESUME
  Status status = log_writer.resume(file);
#else
  Status status = log_writer.open(file);
#endif
  if (status == Status::kOk) status = log_writer.append(row);
#if MICROPARQUET_BENCH_CHECKPOINTS
  if (status == Status::kOk) status = log_writer.tick(1000);
#endif
#if MICROPARQUET_BENCH_SAVE
  if (status == Status::kOk) status = log_writer.save();
#endif
  if (status == Status::kOk) status = log_writer.close();
  return static_cast<int>(status);
#else
  return 0;
#endif
}
