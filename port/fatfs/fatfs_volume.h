// A volume of FatFs, whatever its options.
#pragma once

#include <cstdint>

#include "ff.h"

namespace microparquet {

inline std::uint32_t sector_bytes(const FATFS& volume) {
#if FF_MAX_SS == FF_MIN_SS
  static_cast<void>(volume);
  return FF_MAX_SS;
#else
  return volume.ssize;
#endif
}

inline bool lock(const FATFS& volume) {
#if FF_FS_REENTRANT
  return ff_mutex_take(volume.ldrv) != 0;
#else
  static_cast<void>(volume);
  return true;
#endif
}

inline void unlock(const FATFS& volume) {
#if FF_FS_REENTRANT
  ff_mutex_give(volume.ldrv);
#else
  static_cast<void>(volume);
#endif
}

}  // namespace microparquet
