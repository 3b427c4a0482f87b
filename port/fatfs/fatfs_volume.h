// A volume of FatFs, whatever its options.
#pragma once

#include <cstdint>

#include "microparquet/port/fatfs_release.h"

// After ff.h, whose types it has.
#include "diskio.h"

namespace microparquet {

// Values of FATFS::fsi_flag. FatFs writes FSINFO at a sync if the flag is kDue, and no bit more; it has 0x80
// where the volume has no FSINFO.
constexpr BYTE kDue = 1;
constexpr BYTE kHeld = 2;     // the port holds FSINFO back until it closes a file
constexpr BYTE kUnknown = 4;  // the next entry takes FSINFO with it, with an unknown count
constexpr DWORD kNotCounted = 0xFFFFFFFF;

// Returns the number by which the disk functions know the volume's drive.
inline BYTE drive_of(const FATFS& volume) {
#ifdef _FATFS
  return volume.drv;
#else
  return volume.pdrv;
#endif
}

inline std::uint32_t sector_bytes(const FATFS& volume) {
#if FF_MAX_SS == FF_MIN_SS
  static_cast<void>(volume);
  return FF_MAX_SS;
#else
  return volume.ssize;
#endif
}

inline bool lock(const FATFS& volume) {
#if FF_FS_REENTRANT && MICROPARQUET_FATFS_BEFORE_R015
  return ff_req_grant(volume.sobj) != 0;
#elif FF_FS_REENTRANT
  return ff_mutex_take(volume.ldrv) != 0;
#else
  static_cast<void>(volume);
  return true;
#endif
}

inline void unlock(const FATFS& volume) {
#if FF_FS_REENTRANT && MICROPARQUET_FATFS_BEFORE_R015
  ff_rel_grant(volume.sobj);
#elif FF_FS_REENTRANT
  ff_mutex_give(volume.ldrv);
#else
  static_cast<void>(volume);
#endif
}

// Writes the sector that FatFs's window holds back, if any, and its copy in the second table. The caller holds
// the mutex.
bool write_window(FATFS& volume);

// Writes it likewise, and waits until all that was written is on the card. The caller holds the mutex.
inline bool sync_window(FATFS& volume) {
  return write_window(volume) && disk_ioctl(drive_of(volume), CTRL_SYNC, nullptr) == RES_OK;
}

constexpr unsigned kMostTries = 16;  // tries of a call while another task holds the volume

constexpr LBA_t kNowhere = ~LBA_t{0};  // of a window that has no sector

// Puts a sector into FatFs's window. The caller holds the mutex. If the card does not answer, the window has no
// sector.
bool load_window(FATFS& volume, LBA_t sector);

}  // namespace microparquet
