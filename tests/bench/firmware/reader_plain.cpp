// The reader's flash: open and the rows of `imu8`. The twin has the row and the file, and no call.
#include "counting_file.h"
#include "imu8_log.h"
#include "microparquet/static_reader.h"
#include "opaque.h"

namespace {
using namespace microparquet;

bench::CountingFile file;
#if MICROPARQUET_BENCH_CALLS
StaticReader<bench::kImu8Schema> log_reader;
#endif
}  // namespace

int main() {
  bench::Imu8Row row;
  bench::opaque(row);
  bench::opaque(file);
#if MICROPARQUET_BENCH_CALLS
  Status status = log_reader.open(file);
  while (status == Status::kOk) {
    status = log_reader.next(row);
    bench::opaque(row);
  }
  return static_cast<int>(status);
#else
  return 0;
#endif
}
