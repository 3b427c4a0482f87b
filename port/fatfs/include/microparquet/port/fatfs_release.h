// FatFs's releases from R0.12c on under the names of R0.15. CubeMX puts R0.12c into projects for the F4, F7 and L4.
#pragma once

#include "ff.h"

#ifdef _FATFS
#if _FATFS != 68300
#error \
    "microparquet: of the releases of FatFs before R0.13 it knows R0.12c; take that, or R0.14b, R0.15 or R0.16"
#elif _FS_EXFAT
#error "microparquet: on exFAT it needs FatFs R0.14b, R0.15 or R0.16; with R0.12c set _FS_EXFAT to 0"
#endif
#define FF_FS_EXFAT _FS_EXFAT
#define FF_FS_LOCK _FS_LOCK
#define FF_FS_MINIMIZE _FS_MINIMIZE
#define FF_FS_NORTC _FS_NORTC
#define FF_FS_READONLY _FS_READONLY
#define FF_FS_REENTRANT _FS_REENTRANT
#define FF_FS_TINY _FS_TINY
#define FF_MAX_SS _MAX_SS
#define FF_MIN_SS _MIN_SS
#define FF_STR_VOLUME_ID _STR_VOLUME_ID
#define FF_USE_FASTSEEK _USE_FASTSEEK
#define FF_USE_LFN _USE_LFN
#endif

// R0.12c, or R0.14b: the numbers of releases have no order. Before R0.15 each volume has an object of its own to lock it by.
#if defined(_FATFS) || (defined(FF_DEFINED) && FF_DEFINED == 86631)
#define MICROPARQUET_FATFS_BEFORE_R015 1
#else
#define MICROPARQUET_FATFS_BEFORE_R015 0
#endif

#ifdef _FATFS
namespace microparquet {
using LBA_t = DWORD;  // the number of a sector
}  // namespace microparquet
#endif
