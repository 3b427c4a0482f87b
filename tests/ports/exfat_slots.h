// A log's place in its folder on exFAT, whose directory entries are sets: three of them for a name of up to 15 letters.
#pragma once

#include <string>

#include "ff.h"

namespace ports {

inline constexpr unsigned kSlots = 16;     // directory entries of a sector
inline constexpr unsigned kFirstSlot = 6;  // after the volume's own entries and OTHER.TXT

// Puts files into a new volume so that the entries of the next one begin at `slot` of a sector.
inline bool fill_slots(unsigned slot) {
  unsigned left = (slot + kSlots - kFirstSlot) % kSlots;
  if (left != 0 && left < 3) left += kSlots;
  for (char number = 'A'; left != 0; ++number) {
    const unsigned take = left == 5 ? 5 : left == 4 || left == 7 || left == 8 ? 4 : 3;
    const std::string name = number + std::string((take - 3) * 15 + 1, 'F');
    FIL file;
    if (f_open(&file, name.c_str(), FA_WRITE | FA_CREATE_NEW) != FR_OK || f_close(&file) != FR_OK)
      return false;
    left -= take;
  }
  return true;
}

}  // namespace ports
