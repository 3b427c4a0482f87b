// A program of another project: logs three rows into memory, and looks whether a whole Parquet file lies
// there.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "microparquet/microparquet.h"
#include "microparquet/port/memory_file.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t time_us;
  float temperature;
};

inline constexpr auto kSchema = mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us),
                                            mpq::column("temperature", &Sample::temperature));

static mpq::StaticWriter<kSchema> log_writer;

int main() {
  static std::byte medium[1 << 20];
  mpq::MemoryFile file(medium);
  bool ok = log_writer.open(file) == mpq::Status::kOk;
  for (std::int64_t i = 0; i < 3; ++i) {
    ok = ok && log_writer.append(Sample{1700000000000000 + i, 20.5f}) == mpq::Status::kOk;
  }
  ok = ok && log_writer.close() == mpq::Status::kOk;

  std::uint64_t size = 0;
  ok = ok && file.size(size) == mpq::Status::kOk && size > 12 && std::memcmp(medium, "PAR1", 4) == 0 &&
       std::memcmp(medium + size - 4, "PAR1", 4) == 0;
  std::printf("%s: %u rows, %u bytes\n", ok ? "written" : "failed", static_cast<unsigned>(log_writer.rows()),
              static_cast<unsigned>(size));
  return ok && log_writer.rows() == 3 ? 0 : 1;
}
