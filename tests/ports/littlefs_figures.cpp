// Measures how much the workload `imu8` writes to and erases on a flash memory through littlefs, by the
// memory of a row group: an hour at 100 Hz with checkpoints by the default policy. Also prints the most rows
// that a power cut takes.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "littlefs_writer.h"
#include "microparquet/port/littlefs_file.h"
#include "support/flash.h"
#include "write_imu8.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;
using support::must;

constexpr std::uint32_t kRows = 360'000;
constexpr std::uint32_t kMsPerRow = 10;
constexpr std::uint32_t kRowBytes = 36;
constexpr std::uint32_t kBlocks = 16'384;  // 64 MiB

alignas(4) std::byte caches[1024];

template <std::uint32_t kKilobytes>
void measure() {
  static mpq::bench::LittleFsWriter<kKilobytes> writer;  // NOLINT(*-dynamic-static-initializers)
  const auto flash = std::make_unique<filesystems::Flash>(kBlocks, filesystems::Flash::Loss::kInOrder);
  if (!flash->good()) must(Status::kIoError, "format");
  const std::uint64_t programmed = flash->programmed_bytes();
  const std::uint64_t erased = flash->erased_bytes();
  mpq::LittleFsFile file(flash->volume(), caches);
  must(file.create("log.parquet"), "create");
  std::uint64_t most_lost = 0;
  mpq::bench::write_imu8(writer, file, kRows, kMsPerRow,
                         [&] { most_lost = std::max(most_lost, writer.rows() - writer.durable_rows()); });
  must(writer.close(), "close");
  must(file.close(), "close");
  const auto bytes = static_cast<double>(writer.file_bytes());
  const auto print = [](const char* name, double value, const char* unit) {
    std::printf("littlefs.imu8_%uk.%s %.2f %s\n", static_cast<unsigned>(kKilobytes), name, value, unit);
  };
  print("file_bytes", bytes / (double{kRows} * kRowBytes), "per_raw_byte");
  print("programmed_bytes", static_cast<double>(flash->programmed_bytes() - programmed) / bytes,
        "per_file_byte");
  print("erased_bytes", static_cast<double>(flash->erased_bytes() - erased) / bytes, "per_file_byte");
  print("loss", static_cast<double>(most_lost) * kMsPerRow / 1000, "s");
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
