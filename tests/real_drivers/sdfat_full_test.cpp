// A Logger that drops its oldest files over SdFat itself: full cards of FAT16, FAT32 and exFAT, and removals cut at each write on a
// card that puts writes down in any order.
#include <SdFat.h>

#include <cstdio>
#include <string>

#include "logger_removal.h"
#include "real_sdfat.h"
#include "support/check.h"
#include "support/volume.h"

namespace real_sdfat {
std::uint32_t passed_ms = 0;
}  // namespace real_sdfat

namespace {

using filesystems::Format;
using filesystems::RamDisk;
using filesystems::Volume;

template <typename AnyVolume>
struct RealSdFat {
  using Volume = AnyVolume;
  static constexpr const char* kName = "SdFat";
  static Volume& volume() {
    static Volume volume;
    return volume;
  }
  // The card of the test, in the drive of FatFs, which looks at what is on it.
  static bool start() {
    constexpr std::uint8_t kNoTableOfPartitions = 0;
    static real_sdfat::Blocks* blocks = nullptr;
    delete blocks;
    blocks = new real_sdfat::Blocks(*RamDisk::inserted());
    return volume().begin(blocks, true, kNoTableOfPartitions);
  }
};

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

TEST("nor do they where an access fails") {
  ports::fail_logger_removals<RealSdFat<FsVolume>>(filesystems::kFat16, real_sdfat::passed_ms);
  ports::fail_logger_removals<RealSdFat<FsVolume>>(filesystems::kExfat, real_sdfat::passed_ms);
}
