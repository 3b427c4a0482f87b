// Logger on a device that wakes for a row, over the stand-in for SdFat, and over volumes that write no file in place.
#include <Arduino.h>
#include <FS.h>
#include <SD.h>
#include <SdFat.h>
#include <microparquet.h>

#include "logger_wakes.h"
#include "played_board.h"
#include "played_sdfat.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::RamDisk;
using ports::PlayedSdFat;

}  // namespace

TEST("a Logger that tells its pace pays no row group for a wake") {
  constexpr std::uint32_t kWakes = 200;
  const ports::WakesFound tailed = ports::wake_often<PlayedSdFat>(filesystems::kFat32, kWakes);
  const ports::WakesFound stream = ports::wake_often<PlayedSdFat>(filesystems::kFat32, kWakes, false);
  CHECK_EQ(tailed.file.rows, kWakes);
  CHECK(tailed.file.is_good && tailed.file.row_groups <= 3);
  CHECK(tailed.written <= 60);
  CHECK_EQ(stream.file.row_groups, kWakes);
  CHECK(stream.written > 60);
}

TEST("a wake of a Logger that a power cut ends at any write costs no row but its own") {
  ports::cut_wakes<PlayedSdFat>(filesystems::kFat32, 62);
}

TEST("a Logger continues no file that was begun with another pace in mind") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  const filesystems::Volume volume(disk);
  for (const bool has_pace : {false, true, false, true}) REQUIRE(ports::wake<PlayedSdFat>(0, has_pace));
  CHECK(!filesystems::is_there("RUN00005.parquet"));
  for (std::uint32_t i = 1; i <= 4; ++i) {
    char name[] = "RUN0000x.parquet";
    name[7] = static_cast<char>('0' + i);
    const ports::NumbersOfFile found = ports::numbers_of(name);
    CHECK(found.is_good);
    CHECK_EQ(found.rows, 1U);
  }
}

TEST("a Logger whose rows fill its memory between checkpoints stays a stream, and keeps to its pace") {
  constexpr std::uint32_t kRowsPerHour = 360'000;
  constexpr std::uint32_t kMaxLossMs = 5'000;  // 500 rows
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  const filesystems::Volume volume(disk);
  ports::WakingLogger<PlayedSdFat> logger;
  REQUIRE(logger.set_pace(kRowsPerHour, kMaxLossMs));
  REQUIRE(logger.begin(PlayedSdFat::volume(), "RUN", [] { return PlayedSdFat::start(); }));
  for (std::uint32_t i = 0; i < 600; ++i) {
    logger.add("number", i);
    CHECK(logger.end_row());
    ports::now_ms += 10;
  }
  CHECK(logger.durable_rows() >= 500);
  CHECK(logger.end());
  CHECK(filesystems::bytes_of(ports::kWakesName).size() < (32U << 10));
}
