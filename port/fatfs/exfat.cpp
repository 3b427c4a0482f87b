#include "exfat.h"

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

}  // namespace microparquet::exfat
#endif
