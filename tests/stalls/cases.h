// The cases that are tried: rate x stall x depth of the queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "card_latency.h"
#include "imu8_log.h"
#include "microparquet/durability.h"
#include "microparquet/row_queue.h"

namespace stalls {

// Row groups of 256 KiB: each step of a footer reads the records of those since the last footer, and at 1000
// rows a second the default's 24 to 72 KiB would be more than a slow bus has time for.
inline constexpr microparquet::Options kOptions = [] {
  microparquet::Options options;
  options.row_group_bytes = 256 << 10;
  return options;
}();

struct Case {
  std::uint32_t rows_per_second;
  std::uint32_t longest_stall_ms;
  std::uint32_t depth;
};

inline constexpr std::uint32_t kRates[] = {10, 100, 1000};
inline constexpr std::uint32_t kStalls[] = {250, 1000};

// The longest that the program is busy without a stall: a checkpoint, and what the file system writes of its
// own for it; on a board, each sector also takes its way over the bus.
constexpr std::uint32_t busy_ms() {
  constexpr std::uint32_t kRowGroups = 16;
  constexpr std::uint32_t kFileSystemSectors = 8;
  constexpr std::uint32_t kBusMs = 1;
  const std::uint32_t sectors = microparquet::max_checkpoint_sectors(
      microparquet::Schema(microparquet::bench::kImu8Schema.fields), kOptions, kRowGroups);
  return (sectors + kFileSystemSectors) * (kSectorMs + kBusMs);
}

// Depths for each rate and stall: the one that is said to do, the rows of the stall alone, and half of them.
inline constexpr auto kCases = [] {
  constexpr std::size_t kPairs = sizeof kRates / sizeof *kRates * (sizeof kStalls / sizeof *kStalls);
  std::array<Case, kPairs * 3> cases{};
  std::size_t i = 0;
  for (const std::uint32_t rate : kRates) {
    for (const std::uint32_t stall_ms : kStalls) {
      const std::uint32_t stalled = rate * stall_ms / 1000;
      cases[i++] = {rate, stall_ms, microparquet::row_queue_depth(rate, stall_ms, busy_ms())};
      cases[i++] = {rate, stall_ms, stalled};
      cases[i++] = {rate, stall_ms, stalled / 2};
    }
  }
  return cases;
}();

}  // namespace stalls
