#include "exfat.h"

#include "fatfs_volume.h"

#if FF_FS_EXFAT
namespace microparquet::exfat {

BYTE* read_window(FATFS& volume, LBA_t sector) {
  if (volume.winsect == sector) return volume.win;
  volume.winsect = sector;
  if (disk_read(volume.pdrv, volume.win, sector, 1) == RES_OK) return volume.win;
  volume.winsect = kNowhere;
  return nullptr;
}

bool write_window(FATFS& volume) {
  volume.wflag = 0;
  if (disk_write(volume.pdrv, volume.win, volume.winsect, 1) == RES_OK) return true;
  volume.winsect = kNowhere;
  return false;
}

bool has_bitmap(FATFS& volume) {
  const auto bit = static_cast<DWORD>(volume.dirbase) - 2;
  const DWORD bytes = sector_bytes(volume);
  if (volume.wflag != 0 && !write_window(volume)) return false;
  const BYTE* const window = read_window(volume, volume.bitbase + bit / 8 / bytes);
  return window != nullptr && (window[bit / 8 % bytes] >> bit % 8 & 1) != 0;
}

bool link(FATFS& volume, DWORD first, DWORD links) {
  const DWORD entries = sector_bytes(volume) / 4;
  if (volume.wflag != 0 && !write_window(volume)) return false;
  for (const DWORD end = first + links; first != end;) {
    BYTE* const window = read_window(volume, volume.fatbase + first / entries);
    if (window == nullptr) return false;
    do {
      BYTE* const entry = window + first % entries * 4;
      ++first;
      store(entry, first);
    } while (first != end && first % entries != 0);
    if (!write_window(volume)) return false;
  }
  return true;
}

}  // namespace microparquet::exfat
#endif
