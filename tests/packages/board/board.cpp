#include "board.h"

#include <cstdio>
#include <cstdlib>

#include "support/ram_disk.h"
#include "support/volume.h"

namespace {

constexpr std::uint32_t kPowerFailsAfterMs = 1'300'000;
constexpr filesystems::Format kFormat = filesystems::kFat16;

std::uint32_t now_ms = 0;

filesystems::RamDisk& card() {
  static filesystems::RamDisk disk(kFormat.sectors);
  return disk;
}

}  // namespace

namespace board {

bool mount() {
  if (!filesystems::format(card(), kFormat)) return false;
  static filesystems::Volume volume(card());
  return volume.result() == FR_OK;
}

std::uint32_t milliseconds() { return now_ms; }

void wait(std::uint32_t ms) {
  now_ms += ms;
  if (now_ms < kPowerFailsAfterMs) return;
  std::_Exit(card().save("card.img") ? EXIT_SUCCESS : EXIT_FAILURE);
}

}  // namespace board
