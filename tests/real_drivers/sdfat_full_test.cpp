// A Logger that drops its oldest files over SdFat itself: full cards of FAT16, FAT32 and exFAT, and removals cut at each write on a
// card that puts writes down in any order.
#include <SdFat.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#include "exfat_slots.h"
#include "logger_removal.h"
#include "real_sdfat.h"
#include "sdfat_library.h"
#include "support/check.h"
#include "support/volume.h"

namespace real_sdfat {
std::uint32_t passed_ms = 0;
}  // namespace real_sdfat

namespace {

using filesystems::Format;
using filesystems::RamDisk;
using filesystems::Volume;
using real_sdfat::RealSdFat;

template <typename Library>
void fill_and_drop(const Format& format) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  REQUIRE(ports::fill("FOREIGN.BIN", 'x', format.sectors * 200) == format.sectors * 200);
  ports::RemovingLogger<Library> logger;
  microparquet::RetentionLimits limits;
  limits.low_water = 256 << 10;
  REQUIRE(logger.drop_oldest(limits));
  REQUIRE(logger.begin(Library::volume(), "RUN", [] { return Library::start(); }));
  std::uint32_t next = 0;
  CHECK(ports::log_numbers<Library>(logger, "c", next, 40 * format.sectors));
  CHECK(logger.end());
  std::printf("%s: %u files removed\n", format.name, logger.files_removed());
  CHECK(logger.files_removed() > 1);
  CHECK_EQ(logger.lost_rows(), 0U);
  disk.front().settle();
  volume.mount(disk);
  ports::check_files(next);
  CHECK(ports::has_only("FOREIGN.BIN", 'x'));
}

}  // namespace

TEST("a Logger over SdFat on a full card drops its oldest files, and loses no row") {
  fill_and_drop<RealSdFat<FsVolume>>(filesystems::kFat16);
  fill_and_drop<RealSdFat<FatVolume>>(filesystems::kFat32);
  fill_and_drop<RealSdFat<FsVolume>>(filesystems::kExfat);
}

TEST("its removals hurt no other file, at whatever write a power cut ends them") {
  ports::cut_logger_removals<RealSdFat<FsVolume>>(filesystems::kFat16);
  ports::cut_logger_removals<RealSdFat<FatVolume>>(filesystems::kFat32);
  ports::cut_logger_removals<RealSdFat<FsVolume>>(filesystems::kFat32);
  ports::cut_logger_removals<RealSdFat<FsVolume>>(filesystems::kExfat);
  ports::cut_logger_removals<RealSdFat<ExFatVolume>>(filesystems::kExfat);
}

TEST("nor do they where the entries on exFAT lie in two sectors") {
  // With the log's first file at 15 a cut leaves the first entry of a note as the last one of its sector, and SdFat then
  // overlooks the file whose entries come next, NEW.BIN here: so it does wherever it creates a file.
  constexpr unsigned kHidesTheNext = 15;
  using Library = RealSdFat<ExFatVolume>;
  for (unsigned slot = 0; slot < kHidesTheNext; ++slot)
    ports::cut_logger_removals<Library>(
        filesystems::kExfat, [&] { return ports::fill_slots(slot); },
        ports::next_boot_is_sound_to_it<Library>);
}

TEST("nor do they where an access fails") {
  ports::fail_logger_removals<RealSdFat<FsVolume>>(filesystems::kFat16, real_sdfat::passed_ms);
  ports::fail_logger_removals<RealSdFat<FsVolume>>(filesystems::kExfat, real_sdfat::passed_ms);
}

namespace {

// Takes the short entry of a file away, and leaves its long name; the next short name takes its place.
bool tear_entry(RamDisk& disk, const char* short_name) {
  for (std::uint32_t sector = 0; sector < disk.sectors(); ++sector) {
    std::byte* const bytes = disk.sector(sector);
    for (std::size_t at = 0; at < filesystems::kSectorBytes; at += 32) {
      if (std::memcmp(bytes + at, short_name, 11) != 0) continue;
      bytes[at] = std::byte{0xE5};
      return true;
    }
  }
  return false;
}

}  // namespace

TEST("a Logger over SdFat finds its files after an entry that a power cut has torn") {
  using Library = RealSdFat<FsVolume>;
  RamDisk disk(filesystems::kFat16.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat16));
  Volume volume(disk);
  REQUIRE(ports::fill("TORNFILE.parquet", 'x', 10) == 10);
  volume.mount(disk);
  REQUIRE(tear_entry(disk, "TORNFI~1PAR"));
  volume.mount(disk);
  REQUIRE(ports::fill("A.TXT", 'x', 10) == 10);
  REQUIRE(ports::make_old_files<Library>());
  disk.front().settle();
  volume.mount(disk);
  for (const char* const name : ports::kNames) CHECK(ports::is_there(name));
  CHECK(ports::remove_oldest<Library>(disk));
  volume.mount(disk);
  CHECK(!ports::is_there(ports::kNames[0]) && ports::is_there(ports::kNames[1]));
}

TEST("a Logger over SdFat that knows the time dates its files, and drops those that are too old") {
  using Library = RealSdFat<FsVolume>;
  using DatedLogger = microparquet::Logger<FsVolume, 2, 16'008>;
  for (const Format* const format : {&filesystems::kFat32, &filesystems::kExfat}) {
    RamDisk disk(format->sectors);
    REQUIRE(filesystems::format(disk, *format));
    Volume volume(disk);
    constexpr std::int64_t kFirstS = 1'800'000'000;
    const char* const columns[] = {"a", "b", "c"};
    const char* const names[] = {"RUN00001_20270115T0800Z.parquet", "RUN00002_20270116T0800Z.parquet",
                                 "RUN00003_20270117T0800Z.parquet"};
    for (unsigned day = 0; day < 3; ++day) {
      DatedLogger logger;
      microparquet::RetentionLimits limits;
      limits.age_s = 36 * 3600;
      REQUIRE(logger.drop_oldest(limits));
      REQUIRE(logger.begin(Library::volume(), "RUN", [] { return Library::start(); }));
      logger.set_time(kFirstS + day * 86'400);
      for (unsigned i = 0; i < 100; ++i) {
        logger.add(columns[day], i);
        CHECK(logger.end_row());
        real_sdfat::passed_ms += 1000;
      }
      CHECK(logger.end());
      CHECK_EQ(logger.file_name(), std::string(names[day]));
      disk.front().settle();
      volume.mount(disk);
      FILINFO entry;
      REQUIRE(f_stat(names[day], &entry) == FR_OK);
      const std::int64_t written_s = microparquet::detail::seconds_of({entry.fdate, entry.ftime});
      CHECK(written_s >= kFirstS + day * 86'400 + 98 && written_s <= kFirstS + day * 86'400 + 120);
      CHECK_EQ(logger.files_removed(), day == 2 ? 1U : 0U);
    }
    CHECK(!ports::is_there(names[0]) && ports::is_there(names[1]));
  }
}
