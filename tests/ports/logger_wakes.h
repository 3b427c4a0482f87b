// A Logger on a device that wakes for a row and sleeps, with the pace that it tells: over the stand-in for SdFat, and over SdFat
// itself. What a wake costs, and its cuts on a card that puts writes down in any order.
#pragma once

#include <cstdint>
#include <cstdio>

#include "logger_removal.h"
#include "microparquet/port/logger.h"
#include "support/check.h"
#include "support/recorded_writes.h"
#include "support/volume.h"

namespace ports {

inline constexpr const char* kWakesName = "RUN00001.parquet";

// Pages of a sector: that of time_ms is full with the 58th row.
template <typename Library>
using WakingLogger = microparquet::Logger<typename Library::Volume, 4, 8'000>;

// A wake, whose row has a text now and then. `has_pace`: a row a minute, each of which is to be durable.
template <typename Library>
bool wake(std::uint32_t number, bool has_pace = true) {
  constexpr std::uint32_t kRowsPerHour = 60;
  constexpr std::uint32_t kMinuteMs = 60'000;
  WakingLogger<Library> logger;
  if (has_pace && !logger.set_pace(kRowsPerHour, kMinuteMs)) return false;
  if (!logger.begin(Library::volume(), "RUN", [] { return Library::start(); })) return false;
  if (has_pace && logger.set_pace(kRowsPerHour, kMinuteMs)) return false;
  logger.add("number", number).add("half", static_cast<float>(number) * 0.5F).add("odd", number % 2 != 0);
  const char* const text = number % 5 == 0 ? "as it wakes" : nullptr;
  logger.add("text", text);  // each wake names the same columns
  const bool good = logger.end_row();
  return logger.end() && good;
}

// Sectors that the last of several wakes asks the card for, and the file that they leave.
struct WakesFound {
  unsigned written = 0;
  unsigned read = 0;
  NumbersOfFile file;
  std::size_t bytes = 0;
};

template <typename Library>
WakesFound wake_often(const filesystems::Format& format, std::uint32_t wakes, bool has_pace = true) {
  WakesFound found;
  RamDisk disk(format.sectors);
  if (!CHECK(filesystems::format(disk, format))) return found;
  Volume volume(disk);
  for (std::uint32_t i = 0; i < wakes; ++i) {
    found.written = found.read = 0;
    disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
      found.written += access == RamDisk::Access::kWrite ? 1U : 0U;
      found.read += access == RamDisk::Access::kRead ? 1U : 0U;
      return true;
    });
    if (!CHECK(wake<Library>(i, has_pace))) return found;
  }
  disk.set_watch({});
  disk.front().settle();
  volume.mount(disk);
  const std::vector<std::byte> bytes = bytes_by<Library>(kWakesName);
  found.bytes = bytes.size();
  found.file = numbers_in(bytes);
  std::printf("%s, %s, %s: %u wakes, the last one writes %u and reads %u sectors, %zu bytes, %u row groups\n",
              Library::kName, format.name, has_pace ? "in place" : "stream", wakes, found.written, found.read,
              found.bytes, found.file.row_groups);
  return found;
}

// Cuts the `nth` wake on a card that puts writes down in any order. The next wakes continue the file.
template <typename Library>
unsigned cut_wake(RamDisk& disk, std::uint32_t nth) {
  filesystems::RecordedWrites writes(disk);
  disk.begin_transaction();
  {
    const Volume volume(disk);
    CHECK(wake<Library>(nth));
    disk.front().settle();
  }
  writes.stop();
  disk.roll_back();
  unsigned faults = 0;
  const unsigned cuts = writes.each_cut([&] {
    Volume volume(disk);
    const std::uint32_t kept = numbers_of(kWakesName).rows;
    bool good = CHECK(kept == nth || kept == nth + 1);
    good = CHECK(wake<Library>(kept)) && CHECK(wake<Library>(kept + 1)) && good;
    disk.front().settle();
    volume.mount(disk);
    const NumbersOfFile found = numbers_of(kWakesName);
    good = CHECK(found.is_good) && CHECK_EQ(found.rows, kept + 2) && good;
    faults += good ? 0U : 1U;
  });
  CHECK_EQ(faults, 0U);
  return cuts;
}

template <typename Library>
void cut_wakes(const filesystems::Format& format, std::uint32_t wakes) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  unsigned cuts = 0;
  for (std::uint32_t i = 0; i < wakes; ++i) {
    // The first ones, those in which pages are full, and one in between.
    if (i < 3 || i % 58 < 2 || i == 30) cuts += cut_wake<Library>(disk, i);
    const Volume volume(disk);
    REQUIRE(wake<Library>(i));
    disk.front().settle();
  }
  std::printf("%s, %s: %u cuts of wakes\n", Library::kName, format.name, cuts);
  CHECK(cuts > 100);
}

}  // namespace ports
