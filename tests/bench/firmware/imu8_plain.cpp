// The writer's instructions: 100,000 generated rows of `imu8` into a file of the host, in the *sector*
// configuration. The twin generates the rows and does nothing with them.
#include "imu8_log.h"
#include "microparquet/port/semihosting_file.h"
#include "opaque.h"

namespace {
using namespace microparquet;

constexpr std::int32_t kRows = 100000;

SemihostingFile file;
#if MICROPARQUET_BENCH_CALLS
bench::Imu8Writer log_writer;
#endif

[[gnu::noinline]] void generate(bench::Imu8Generator& generator, bench::Imu8Row& row) { generator.next(row); }

#if MICROPARQUET_BENCH_CALLS
Status open() { return log_writer.open(file); }
Status append(const bench::Imu8Row& row) { return log_writer.append(row); }
Status close() { return log_writer.close(); }
#else
Status open() { return Status::kOk; }
Status append(const bench::Imu8Row& row) {
  bench::opaque(row);
  return Status::kOk;
}
Status close() { return Status::kOk; }
#endif

Status run() {
  bench::Imu8Generator generator(kRows);
  Status status = open();
  for (std::int32_t i = 0; i < kRows && status == Status::kOk; ++i) {
    bench::Imu8Row row;
    generate(generator, row);
    status = append(row);
  }
  return status == Status::kOk ? close() : status;
}

}  // namespace

int main() {
  Status status = file.create("imu8.parquet", microparquet::Existing::kOverwrite);
  if (status == Status::kOk) status = run();
  if (status == Status::kOk) status = file.close();
  return static_cast<int>(status);
}
