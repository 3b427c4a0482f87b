// Logger on a card that is full, over SdFat: its oldest files make place, a removal is cut at each write on a card that puts writes
// down in any order, and a card that fails takes no file along.
#include <Arduino.h>
#include <SdFat.h>
#include <microparquet.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ff.h"
#include "logger_removal.h"
#include "played_board.h"
#include "played_sdfat.h"
#include "support/check.h"
#include "support/folder_names.h"
#include "support/volume.h"

namespace newest_files {
#include "examples/newest_files/newest_files.ino"
}

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using ports::now_ms;
using ports::PlayedSdFat;

using FullLogger = ports::RemovingLogger<PlayedSdFat>;

bool begin_full(FullLogger& logger) {
  return logger.begin(PlayedSdFat::volume(), "RUN", [] { return PlayedSdFat::start(); });
}

// Rows of a boot that end_row() was content with, a hundred a second.
unsigned log_full(FullLogger& logger, std::uint32_t& next, unsigned rows) {
  unsigned good = 0;
  for (unsigned i = 0; i < rows; ++i) {
    logger.add("number", next++);
    good += logger.end_row() ? 1U : 0U;
    now_ms += 10;
  }
  return good;
}

}  // namespace

TEST("a Logger on a full card drops its oldest files, and loses no row") {
  RamDisk disk(filesystems::kFat16.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat16));
  const Volume volume(disk);
  REQUIRE(filesystems::fill("RUN00000.parquet", 'x', 1000) == 1000 &&
          filesystems::fill("RUN00001.txt", 'x', 1000) == 1000);
  std::uint32_t next = 0;
  {
    FullLogger logger;
    mpq::RetentionLimits limits;
    limits.low_water = 256 << 10;
    REQUIRE(logger.drop_oldest(limits));
    REQUIRE(begin_full(logger));
    CHECK(!logger.drop_oldest(limits));
    constexpr unsigned kRows = 2'500'000;
    CHECK_EQ(log_full(logger, next, kRows), kRows);
    CHECK(logger.files_removed() > 3);
    CHECK_EQ(logger.lost_rows(), 0U);
    CHECK(logger.end());
    CHECK_EQ(ports::numbers_of(logger.file_name()).files_removed, std::to_string(logger.files_removed()));
  }
  CHECK(ports::check_files(next) > 1'000'000);
  CHECK(filesystems::has_only("RUN00000.parquet", 'x') && filesystems::has_only("RUN00001.txt", 'x'));
}

TEST("a removal of a Logger's file that a power cut ends at any write hurts no other file") {
  ports::cut_logger_removals<PlayedSdFat>(filesystems::kFat16);
  ports::cut_logger_removals<PlayedSdFat>(filesystems::kFat32);
}

TEST("a removal of a Logger's file that fails at any access is finished, and hurts no other file") {
  ports::fail_logger_removals<PlayedSdFat>(filesystems::kFat16, now_ms);
}

namespace {

// A Logger that also knows the time; a class of its own, since all of one have that column.
using DatedLogger = mpq::Logger<SdFs, 2, 16'008>;

// Logs ten rows, in which another column makes another file. Returns its name.
std::string log_dated(std::int64_t unix_s, const char* column, const mpq::RetentionLimits* limits = nullptr) {
  DatedLogger logger;
  if (limits != nullptr) CHECK(logger.drop_oldest(*limits));
  logger.begin(PlayedSdFat::volume(), "RUN", [] { return PlayedSdFat::start(); });
  if (unix_s != 0) logger.set_time(unix_s);
  for (unsigned i = 0; i < 100; ++i) {
    logger.add(column, i);
    CHECK(logger.end_row());
    now_ms += 1000;
  }
  CHECK(logger.end());
  return logger.file_name();
}

}  // namespace

TEST("a Logger drops files of each form that its names have, and no other files") {
  RamDisk disk(filesystems::kFat16.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat16));
  const Volume volume(disk);
  constexpr std::int64_t kUnixS = 1'800'000'000;
  CHECK_EQ(log_dated(0, "a"), "RUN00001.parquet");
  REQUIRE(f_rename("RUN00001.parquet", "RUN00001.PQT") == FR_OK);
  CHECK_EQ(log_dated(kUnixS, "b"), "RUN00002_20270115T0800Z.parquet");
  CHECK_EQ(log_dated(kUnixS + 60, "c"), "RUN00003_20270115T0801Z.parquet");
  CHECK_EQ(log_dated(0, "d"), "RUN00004.parquet");
  CHECK_EQ(log_dated(kUnixS + 120, "e"), "RUN00005_20270115T0802Z.parquet");
  const auto copy = [](const char* from, const char* to) {
    const std::vector<std::byte> bytes = filesystems::bytes_of(from);
    FIL file;
    UINT written = 0;
    CHECK(f_open(&file, to, FA_WRITE | FA_CREATE_NEW) == FR_OK);
    CHECK(f_write(&file, bytes.data(), static_cast<UINT>(bytes.size()), &written) == FR_OK);
    CHECK(f_close(&file) == FR_OK);
  };
  copy("RUN00004.parquet", "RUN00002.parquet");                 // of another number by what is in it
  copy("RUN00004.parquet", "RUN00004_20279915T0800Z.parquet");  // a date that no clock shows
  copy("RUN00004.parquet", "AUN00004.parquet");
  REQUIRE(filesystems::fill("RUN00003.parquet", 'x', 500) == 500);
  mpq::RetentionLimits limits;
  limits.files = 4;  // those of others count until they are looked at
  CHECK_EQ(log_dated(kUnixS + 180, "f", &limits), "RUN00006_20270115T0803Z.parquet");
  const std::vector<std::string> wanted = {
      "/AUN00004.parquet",
      "/OTHER.TXT",
      "/RUN00002.parquet",
      "/RUN00003.parquet",
      "/RUN00004.parquet",
      "/RUN00004_20279915T0800Z.parquet",
      "/RUN00005_20270115T0802Z.parquet",
      "/RUN00006_20270115T0803Z.parquet",
  };
  CHECK(filesystems::names_in("") == wanted);
}

TEST("a card that fails, or is full of files of others, takes no file of a Logger along") {
  RamDisk disk(filesystems::kFat16.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat16));
  const Volume volume(disk);
  CHECK_EQ(log_dated(0, "a"), "RUN00001.parquet");
  CHECK_EQ(log_dated(0, "b"), "RUN00002.parquet");
  std::uint32_t next = 0;
  {
    FullLogger logger;
    REQUIRE(logger.drop_oldest() && begin_full(logger));
    disk.set_watch([](RamDisk::Access access, std::uint32_t, const std::byte*) {
      return access != RamDisk::Access::kWrite;
    });
    CHECK(log_full(logger, next, 20'000) < 20'000);
    disk.set_watch({});
    CHECK_EQ(logger.files_removed(), 0U);
    CHECK_EQ(ports::numbers_of("RUN00001.parquet").files_removed, "");
  }
  CHECK(filesystems::is_there("RUN00001.parquet") && filesystems::is_there("RUN00002.parquet"));
  REQUIRE(f_unlink("RUN00001.parquet") == FR_OK && f_unlink("RUN00002.parquet") == FR_OK);
  static_cast<void>(filesystems::fill("RUN00001.parquet", 'x'));
  FullLogger logger;
  REQUIRE(logger.drop_oldest() && begin_full(logger));
  CHECK(log_full(logger, next, 5'000) < 5'000);
  CHECK_EQ(std::string(logger.message()), "the card is full, and no older file may go");
  CHECK(filesystems::has_only("RUN00001.parquet", 'x'));
  CHECK_EQ(filesystems::names_in("").size(), 3U);  // and an empty one of the log's
}

TEST("the sketch newest_files logs, with all of its card's space as long as that is below its limit") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  const Volume volume(disk);
  ports::said.clear();
  newest_files::setup();
  for (unsigned i = 0; i < 300; ++i) newest_files::loop();
  CHECK(newest_files::logger.durable_rows() > 0);
  CHECK(newest_files::logger.end());
  CHECK_EQ(newest_files::logger.files_removed(), 0U);
  CHECK_EQ(ports::said, "");
}

TEST(
    "a Logger that drops its oldest files reads few sectors before its first row, on a card with 300 files") {
  constexpr filesystems::Format kCard{"FAT32", FM_FAT32, 600 << 11, 4096, 2};
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  Volume volume(disk);
  for (std::uint32_t i = 1; i <= 300; ++i) {
    char name[40];
    std::snprintf(name, sizeof name, "RUN%05u_20270115T0800Z.parquet", static_cast<unsigned>(i));
    REQUIRE(filesystems::lengthen(name, 5'000));
  }
  std::uint32_t next = 0;
  {
    FullLogger before;  // is switched off without a word
    REQUIRE(before.drop_oldest() && begin_full(before));
    CHECK_EQ(log_full(before, next, 2000), 2000U);
  }
  volume.mount(disk);
  unsigned reads = 0;
  disk.set_watch([&reads](RamDisk::Access access, std::uint32_t, const std::byte*) {
    reads += access == RamDisk::Access::kRead ? 1U : 0U;
    return true;
  });
  FullLogger logger;
  REQUIRE(logger.drop_oldest() && begin_full(logger));
  std::printf("%u sectors to begin, ", reads);
  CHECK_EQ(log_full(logger, next, 1), 1U);
  disk.set_watch({});
  std::printf("%u sectors to log\n", reads);
  CHECK(reads <= 400);
}
