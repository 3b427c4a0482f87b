// The usual way without a library, for comparison: it writes 100,000 rows of `imu8` as CSV, a line by
// snprintf, or as the bytes of the struct. Both go through a buffer of a sector into a file of the host. The
// twin generates the rows and does nothing with them.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "microparquet/port/semihosting_file.h"
#include "opaque.h"
#include "support/imu8.h"

#if MICROPARQUET_BENCH_CALLS && MICROPARQUET_BENCH_CSV
// The C library prints floating point through memory of the heap.
extern "C" void* _sbrk(std::ptrdiff_t bytes) {
  static std::array<char, 4096> heap;
  static std::ptrdiff_t used = 0;
  char* const begin = heap.data() + used;
  used += bytes;
  return begin;
}
#endif

namespace {
using namespace microparquet;

constexpr std::int32_t kRows = 100000;

SemihostingFile file;
std::uint64_t file_bytes = 0;

[[gnu::noinline]] void generate(bench::Imu8Generator& generator, bench::Imu8Row& row) { generator.next(row); }

#if MICROPARQUET_BENCH_CALLS
std::array<char, 512> sector;
std::size_t used = 0;

Status flush() {
  const Status status = file.write_at(file_bytes, {reinterpret_cast<const std::byte*>(sector.data()), used});
  file_bytes += used;
  used = 0;
  return status;
}

[[gnu::noinline]] Status put(const char* data, std::size_t bytes) {
  while (bytes != 0) {
    const std::size_t part = bytes < sector.size() - used ? bytes : sector.size() - used;
    std::memcpy(sector.data() + used, data, part);
    used += part;
    data += part;
    bytes -= part;
    if (used == sector.size()) {
      if (const Status status = flush(); status != Status::kOk) return status;
    }
  }
  return Status::kOk;
}

#if MICROPARQUET_BENCH_CSV
// newlib-nano prints no 64-bit integers: the time in two parts.
Status append(const bench::Imu8Row& row) {
  char line[160];
  const int bytes = std::snprintf(
      line, sizeof line, "%ld%06ld,%ld,%.6g,%.6g,%.6g,%.2f,%ld,%ld\n", static_cast<long>(row.ts / 1000000),
      static_cast<long>(row.ts % 1000000), static_cast<long>(row.seq), static_cast<double>(row.ax),
      static_cast<double>(row.ay), static_cast<double>(row.az), static_cast<double>(row.temp),
      static_cast<long>(row.status), static_cast<long>(row.battery_mv));
  return put(line, static_cast<std::size_t>(bytes));
}
#else
Status append(const bench::Imu8Row& row) { return put(reinterpret_cast<const char*>(&row), sizeof row); }
#endif
#else
Status append(const bench::Imu8Row& row) {
  bench::opaque(row);
  return Status::kOk;
}
Status flush() { return Status::kOk; }
#endif

Status run() {
  bench::Imu8Generator generator(kRows);
  Status status = Status::kOk;
  for (std::int32_t i = 0; i < kRows && status == Status::kOk; ++i) {
    bench::Imu8Row row;
    generate(generator, row);
    status = append(row);
  }
  return status == Status::kOk ? flush() : status;
}

}  // namespace

int main() {
  Status status = file.create("imu8.log", Existing::kOverwrite);
  if (status == Status::kOk) status = run();
  if (status == Status::kOk) status = file.sync(file_bytes);
  if (status == Status::kOk) status = file.close();
  return static_cast<int>(status);
}
