// Measures how much the workload `imu8` writes to and erases on a flash memory through littlefs, by the
// memory of a row group: an hour at 100 Hz with checkpoints by the default policy, in files of ten minutes and in
// one. Also prints the most rows that a power cut takes.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "littlefs_writer.h"
#include "microparquet/port/littlefs_file.h"
#include "support/flash.h"
#include "support/must.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;
using support::must;

constexpr std::uint32_t kRows = 360'000;
constexpr std::uint32_t kRowsInTenMinutes = 60'000;
constexpr std::uint32_t kMsPerRow = 10;
constexpr std::uint32_t kRowBytes = 36;
constexpr std::uint32_t kBlocks = 16'384;  // 64 MiB

alignas(4) std::byte caches[1024];

struct Costs {
  std::uint64_t file_bytes = 0;
  std::uint64_t programmed = 0;
  std::uint64_t erased = 0;
  std::uint64_t most_lost = 0;  // rows
};

// Logs the hour in files of `rows_in_file` rows.
template <typename Writer>
Costs log_hour(std::uint32_t rows_in_file) {
  static Writer writer;  // NOLINT(*-dynamic-static-initializers)
  const auto flash = std::make_unique<filesystems::Flash>(kBlocks, filesystems::Flash::Loss::kInOrder);
  if (!flash->good()) must(Status::kIoError, "format");
  Costs costs;
  const std::uint64_t programmed = flash->programmed_bytes();
  const std::uint64_t erased = flash->erased_bytes();
  mpq::bench::Imu8Generator generator(kRows);
  mpq::bench::Imu8Row row = {};
  for (std::uint32_t i = 0; i < kRows;) {
    const std::string path = "log_" + std::to_string(i) + ".parquet";
    mpq::LittleFsFile file(flash->volume(), caches);
    must(file.create(path.c_str()), "create");
    must(writer.open(file), "open");
    for (std::uint32_t in_file = 0; i < kRows && in_file < rows_in_file; ++i, ++in_file) {
      generator.next(row);
      must(writer.append(row), "append");
      costs.most_lost = std::max(costs.most_lost, writer.rows() - writer.durable_rows());
      must(writer.tick(i * kMsPerRow), "tick");
    }
    must(writer.close(), "close");
    costs.file_bytes += writer.file_bytes();
    must(file.close(), "close");
    writer.reset();
  }
  costs.programmed = flash->programmed_bytes() - programmed;
  costs.erased = flash->erased_bytes() - erased;
  return costs;
}

void print(std::uint32_t kilobytes, const char* files, const Costs& costs) {
  const auto line = [&](const char* name, double value, const char* unit) {
    std::printf("littlefs.imu8_%uk%s.%s %.2f %s\n", static_cast<unsigned>(kilobytes), files, name, value,
                unit);
  };
  constexpr double kValueBytes = double{kRows} * kRowBytes;
  const auto file_bytes = static_cast<double>(costs.file_bytes);
  const auto programmed = static_cast<double>(costs.programmed);
  const auto erased = static_cast<double>(costs.erased);
  line("file_bytes", file_bytes / kValueBytes, "per_raw_byte");
  line("programmed_bytes", programmed / file_bytes, "per_file_byte");
  line("erased_bytes", erased / file_bytes, "per_file_byte");
  line("programmed_per_value", programmed / kValueBytes, "per_raw_byte");
  line("erased_per_value", erased / kValueBytes, "per_raw_byte");
  line("loss", static_cast<double>(costs.most_lost) * kMsPerRow / 1000, "s");
}

template <std::uint32_t kKilobytes>
void measure() {
  using Writer = mpq::bench::LittleFsWriter<kKilobytes>;
  print(kKilobytes, "", log_hour<Writer>(kRowsInTenMinutes));
  print(kKilobytes, "_1h", log_hour<Writer>(kRows));
}

}  // namespace

int main() {
  measure<4>();
  measure<8>();
  measure<16>();
  measure<32>();
  measure<64>();
  measure<128>();
}
