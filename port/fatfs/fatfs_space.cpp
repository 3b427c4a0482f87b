#include "microparquet/port/fatfs_space.h"

#include "fatfs_volume.h"

namespace microparquet {

namespace {

constexpr std::uint32_t kPageBytes = 16 << 10;
constexpr DWORD kClustersOnFat12 = 512;  // looked at in one step

DWORD entry_bits(const FATFS& volume) {
  switch (volume.fs_type) {
    case FS_FAT12: return 12;
    case FS_FAT16: return 16;
    case FS_FAT32: return 32;
    default: return 1;  // of exFAT's bitmap
  }
}

DWORD first_after(const FATFS& volume) {
  const DWORD next = volume.last_clst + 1;
  return next < 2 || next >= volume.n_fatent ? 2 : next;
}

bool is_zero(const BYTE* bytes, unsigned count) {
  BYTE all = 0;
  for (unsigned i = 0; i < count; ++i) all |= bytes[i];
  return all == 0;
}

}  // namespace

FreeClusters::FreeClusters(FATFS& volume)
    : volume_(&volume), first_(first_after(volume)), next_(first_), left_(volume.n_fatent - 2) {}

std::uint64_t FreeClusters::bytes_of(DWORD clusters) const {
  return std::uint64_t{clusters} * volume_->csize * sector_bytes(*volume_);
}

Status FreeClusters::step(std::uint32_t sectors) {
  for (; sectors != 0 && left_ != 0; --sectors) {
    if (!lock(*volume_)) return Status::kIoError;
    const bool good = volume_->fs_type == FS_FAT12 ? count_across_sectors() : count_sector();
    // A count that is a little too low ends no file.
    if (good && left_ == 0 && first_after(*volume_) == first_) {
      volume_->free_clst = found_;
      if (volume_->fs_type == FS_FAT32) volume_->fsi_flag |= 1;  // FSINFO gets it, too
    }
    unlock(*volume_);
    if (!good) return Status::kMediumLost;
  }
  return Status::kOk;
}

// Counts in the sector that has the next cluster's entry, or bit.
bool FreeClusters::count_sector() {
  const DWORD bits = entry_bits(*volume_);
  const DWORD in_sector = sector_bytes(*volume_) * 8 / bits;
  DWORD at = next_;
  LBA_t sector = volume_->fatbase;
#if FF_FS_EXFAT
  if (bits == 1) {
    at -= 2;
    sector = volume_->bitbase;
  }
#endif
  if (!load_window(*volume_, sector + at / in_sector)) return false;
  at %= in_sector;
  for (; at < in_sector && left_ != 0; ++at, --left_) {
    const BYTE* const entry = volume_->win + at * bits / 8;
    const bool is_free = bits == 1    ? (*entry >> at % 8 & 1) == 0
                         : bits == 32 ? is_zero(entry, 3) && (entry[3] & 0x0F) == 0
                                      : is_zero(entry, 2);
    found_ += is_free ? 1 : 0;
    if (++next_ < volume_->n_fatent) continue;
    next_ = 2;
    --left_;
    break;
  }
  return true;
}

// On FAT12 an entry may lie in two sectors.
bool FreeClusters::count_across_sectors() {
  for (DWORD i = 0; i < kClustersOnFat12 && left_ != 0; ++i, --left_) {
    BYTE bytes[2];
    for (DWORD j = 0; j < 2; ++j) {
      const DWORD at = next_ + next_ / 2 + j;
      if (!load_window(*volume_, volume_->fatbase + at / sector_bytes(*volume_))) return false;
      bytes[j] = volume_->win[at % sector_bytes(*volume_)];
    }
    const bool is_free =
        next_ % 2 == 0 ? bytes[0] == 0 && (bytes[1] & 0x0F) == 0 : (bytes[0] & 0xF0) == 0 && bytes[1] == 0;
    found_ += is_free ? 1 : 0;
    next_ = next_ + 1 < volume_->n_fatent ? next_ + 1 : 2;
  }
  return true;
}

VolumeCosts costs_of(const FATFS& volume) {
  const std::uint32_t sector = sector_bytes(volume);
  VolumeCosts costs;
  costs.small_clusters = volume.csize * sector < kPageBytes;
  costs.unaligned = volume.database % (kPageBytes / sector) != 0;
  return costs;
}

}  // namespace microparquet
