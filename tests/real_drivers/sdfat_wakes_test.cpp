// A Logger over SdFat itself on a device that wakes for a row: in place with tails, on FAT32 and exFAT.
#include <SdFat.h>

#include "logger_wakes.h"
#include "real_sdfat.h"
#include "sdfat_library.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using real_sdfat::RealSdFat;

template <typename Library>
void check_wakes(const filesystems::Format& format) {
  constexpr std::uint32_t kWakes = 200;
  const ports::WakesFound found = ports::wake_often<Library>(format, kWakes);
  CHECK_EQ(found.file.rows, kWakes);
  CHECK(found.file.is_good && found.file.row_groups <= 3);
  CHECK(found.written <= 40);
}

}  // namespace

TEST("a Logger over SdFat that tells its pace pays no row group for a wake") {
  check_wakes<RealSdFat<FatVolume>>(filesystems::kFat32);
  check_wakes<RealSdFat<FsVolume>>(filesystems::kExfat);
}

TEST("a wake over SdFat that a power cut ends at any write costs no row but its own") {
  ports::cut_wakes<RealSdFat<FatVolume>>(filesystems::kFat32, 62);
}
