// The allocation table of a FAT16 or FAT32 volume, through FatFs's window.
#pragma once

#include "ff.h"
// After it:
#include "fatfs_volume.h"

namespace microparquet {

// The table of a FAT16 or FAT32 volume, a sector at a time in FatFs's window; between open() and close() under
// the volume's mutex.
class AllocationTable {
 public:
  explicit AllocationTable(FATFS& volume) : volume_(volume), entries_(sector_bytes(volume) / bytes()) {}

  static constexpr DWORD kLastCluster = 0x0FFFFFFF;

  // Begins with the sector that has the cluster's entry.
  FRESULT open(DWORD cluster) {
    if (!lock(volume_)) return FR_TIMEOUT;
    const FRESULT result = load(cluster);
    if (result != FR_OK) unlock(volume_);
    return result;
  }
  void close() { unlock(volume_); }

  FRESULT load(DWORD cluster) {
    return load_window(volume_, volume_.fatbase + sector_of(cluster)) ? FR_OK : FR_DISK_ERR;
  }

  FRESULT sync() { return sync_window(volume_) ? FR_OK : FR_DISK_ERR; }

  DWORD entries_in_sector() const { return entries_; }
  bool has(DWORD cluster) const { return cluster >= 2 && cluster < volume_.n_fatent; }
  DWORD sector_of(DWORD cluster) const { return cluster / entries_; }

  DWORD next(DWORD cluster) const {
    const BYTE* const at = entry(cluster);
    DWORD value = 0;
    for (unsigned i = bytes(); i-- != 0;) value = value << 8 | at[i];
    return value & kLastCluster;
  }

  void set(DWORD cluster, DWORD value) {
    BYTE* const at = entry(cluster);
    if (bytes() == 4) value |= DWORD{at[3]} << 24 & ~kLastCluster;
    for (unsigned i = 0; i < bytes(); ++i) at[i] = static_cast<BYTE>(value >> 8 * i);
    volume_.wflag = 1;
  }

  void free(DWORD cluster) {
    set(cluster, 0);
    if (volume_.free_clst >= volume_.n_fatent - 2) return;
    ++volume_.free_clst;
    volume_.fsi_flag |= 1;
  }

  // Frees the clusters from `next` on that have their entries in the loaded sector, but for `first`, and for
  // `next` if it is `kept`. Returns where the chain continues.
  DWORD free_run(DWORD first, DWORD next, bool kept) {
    DWORD at = next;
    while (has(at) && at != first && sector_of(at) == sector_of(next)) {
      const DWORD following = this->next(at);
      if (following == 0)
        return kLastCluster;  // the chain is broken, or comes back to what has just been freed
      if (at != next || !kept) free(at);
      at = following;
    }
    return has(at) && at != first ? at : kLastCluster;
  }

 private:
  unsigned bytes() const { return volume_.fs_type == FS_FAT32 ? 4 : 2; }
  BYTE* entry(DWORD cluster) const { return volume_.win + cluster % entries_ * bytes(); }

  FATFS& volume_;
  DWORD entries_;
};

}  // namespace microparquet
