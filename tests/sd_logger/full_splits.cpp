// The logger of examples/sd_logger on this machine, as fast as it goes, on a card of 2 GiB in memory.
//
//   full_splits ROWS IMAGE   logs this number of samples in files of the logger's size, and keeps the card
#include <cstdio>
#include <cstdlib>

#include "logger.h"
#include "sensor.h"
#include "support/volume.h"

namespace {

constexpr filesystems::Format kCard{"FAT32", FM_FAT32, 1U << 22, 16 << 10, 2};
constexpr std::uint64_t kNsPerMs = 1'000'000;
constexpr std::uint32_t kPatienceMs = 10'000;

bool log_rows(std::uint32_t rows) {
  static SampleQueue queue;
  static SerialConsole console;
  static Logger logger(queue, console, kSplitLimits);
  std::uint64_t now_ns = 0;
  for (std::uint32_t number = 0; number != rows; ++number, now_ns += sensor::interval_ns()) {
    queue.push(sensor::sample(number));
    logger.step(static_cast<std::uint32_t>(now_ns / kNsPerMs));
  }
  const auto end_ms = static_cast<std::uint32_t>(now_ns / kNsPerMs);
  for (std::uint32_t ms = 0; ms != kPatienceMs; ++ms) {
    logger.step(end_ms + ms);
    if (queue.pending() == 0 && logger.stop()) return queue.dropped() == 0;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  filesystems::RamDisk disk(kCard.sectors);
  if (!filesystems::format(disk, kCard)) return 1;
  filesystems::RamDisk::insert(&disk);
  return log_rows(static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10))) && disk.save(argv[2]) ? 0
                                                                                                        : 1;
}
