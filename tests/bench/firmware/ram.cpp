// The writer's RAM: a writer and a file of a port, both static. The twin has neither.
#include "imu8_log.h"
#include "microparquet/port/semihosting_file.h"
#include "opaque.h"

#if MICROPARQUET_BENCH_CALLS
namespace {
using namespace microparquet;

SemihostingFile file;
bench::Imu8Writer log_writer;
#if MICROPARQUET_BENCH_STREAM
static_assert(sizeof log_writer <= MICROPARQUET_BENCH_STREAM * 1024);
#endif
}  // namespace

int main() {
  bench::Imu8Row row;
  bench::opaque(row);
  Status status = file.create("ram.parquet", microparquet::Existing::kOverwrite);
  if (status == Status::kOk) status = log_writer.open(file);
  if (status == Status::kOk) status = log_writer.append(row);
  if (status == Status::kOk) status = log_writer.close();
  if (status == Status::kOk) status = file.close();
  return static_cast<int>(status);
}
#else
int main() { return 0; }
#endif
