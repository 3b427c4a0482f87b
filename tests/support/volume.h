// A FAT volume on a card in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ff.h"
#include "support/ram_disk.h"

namespace filesystems {

struct Format {
  const char* name;
  BYTE type;  // FM_FAT, FM_FAT32, FM_EXFAT
  std::uint32_t sectors;
  std::uint32_t cluster_bytes;
  BYTE tables = 1;  // copies of the file allocation table
};

// The smallest cards that FatFs takes for what they are said to be, but for some space.
inline constexpr Format kFat12{"FAT12", FM_FAT, 2 << 11, 1024};
inline constexpr Format kFat16{"FAT16", FM_FAT, 8 << 11, 1024};
inline constexpr Format kFat32{"FAT32", FM_FAT32, 40 << 11, 512, 2};
inline constexpr Format kExfat{"exFAT", FM_EXFAT, 16 << 11, 4096};
// Those that FatFs is configured for.
inline constexpr Format kAllFormats[] = {
    kFat12,
    kFat16,
    kFat32,
#if FF_FS_EXFAT
    kExfat,
#endif
};

// Mounted as long as it exists; one at a time.
class Volume {
 public:
  explicit Volume(RamDisk& disk) { mount(disk); }
  ~Volume() { unmount(); }
  Volume(const Volume&) = delete;
  Volume& operator=(const Volume&) = delete;

  // Mounts as after the power came back.
  void mount(RamDisk& disk);
  FRESULT result() const { return result_; }
  FATFS& fatfs() { return fatfs_; }
  std::uint32_t free_clusters();

 private:
  static void unmount();

  FATFS fatfs_ = {};
  FRESULT result_ = FR_OK;
};

// Formats the card as one volume, and leaves a small file on it, so that not all is at the beginning. False:
// FatFs refused.
bool format(RamDisk& disk, const Format& format);

// Makes a file of the mounted volume longer, or writes a new one. False: FatFs refused, or the card is full.
bool lengthen(const std::string& path, std::size_t bytes);

}  // namespace filesystems
