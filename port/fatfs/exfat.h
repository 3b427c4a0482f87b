// Parts of the port for exFAT, compiled with FF_FS_EXFAT only. They work in FatFs's window, its buffer of one
// sector, and so need no memory of their own. Callers hold the volume's mutex.
#pragma once

#include <cstdint>
#include <cstring>

#include "ff.h"

// After ff.h, whose types it has.
#include "diskio.h"

#if FF_FS_EXFAT
namespace microparquet::exfat {

constexpr LBA_t kNowhere = ~LBA_t{0};  // of a window that has no sector

// Puts a sector into the window. Requires: the window has no change that is not on the card. Returns the window;
// null: the card does not answer, and the window has no sector.
BYTE* read_window(FATFS& volume, LBA_t sector);

// Writes the window's sector to the card. If that fails, the window has no sector: FatFs must not see what the
// card has not taken.
bool write_window(FATFS& volume);

// Loads a number of `Number`'s size, which exFAT stores with its lowest byte first.
template <typename Number>
Number load(const BYTE* bytes) {
  Number number = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(&number, bytes, sizeof number);
#else
  for (unsigned i = sizeof number; i-- != 0;) number = static_cast<Number>(number << 8 | bytes[i]);
#endif
  return number;
}

inline void store(BYTE* bytes, DWORD number) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(bytes, &number, sizeof number);
#else
  for (unsigned i = 0; i < sizeof number; ++i) bytes[i] = static_cast<BYTE>(number >> (8 * i));
#endif
}

// Returns whether FatFs found the bitmap: it says that the root's first cluster is taken. FatFs would give away
// clusters that files have.
bool has_bitmap(FATFS& volume);

// Links clusters that follow each other in the table, from `first` on. Returns whether the card has taken that.
bool link(FATFS& volume, DWORD first, DWORD links);

// Mends the folder that `path` names, or the one on the way there in which FatFs stops: an entry set that a power
// cut has torn, or an end marker that such a cut has left in front of other entries.
// - FR_OK: something was mended
// - FR_NO_FILE: there is nothing to mend; not an exFAT volume
// - FR_INT_ERR: the folder is damaged otherwise, and stays as it is
// - anything else: FatFs's answer, or that of the card
FRESULT mend(const TCHAR* path);

}  // namespace microparquet::exfat
#endif
