// The disk functions that FatFs calls for its drive 0, the SD card.
#include "ff.h"
// After it:
#include "diskio.h"
#include "sd_card.h"

static_assert(FF_MAX_SS == sd_card::kBlockBytes);

namespace {

bool started = false;

}  // namespace

// A card that has lost blocks which it had reported as written is not ready until it is initialized again: FatFs then
// gives up all files that are open. To fail one call is not enough, since FatFs drops the results of some.
extern "C" DSTATUS disk_status(BYTE pdrv) {
  if (pdrv != 0 || !started || sd_card::is_lost()) return STA_NOINIT;
  return sd_card::is_protected() ? STA_PROTECT : 0;
}

extern "C" DSTATUS disk_initialize(BYTE pdrv) {
  started = pdrv == 0 && sd_card::start();
  return disk_status(pdrv);
}

extern "C" DRESULT disk_read(BYTE pdrv, BYTE* buff, LBA_t sector, UINT count) {
  if (pdrv != 0) return RES_PARERR;
  return sd_card::read(sector, buff, count) ? RES_OK : RES_ERROR;
}

extern "C" DRESULT disk_write(BYTE pdrv, const BYTE* buff, LBA_t sector, UINT count) {
  if (sd_card::is_protected()) return RES_WRPRT;
  if (pdrv != 0) return RES_PARERR;
  return sd_card::write(sector, buff, count) ? RES_OK : RES_ERROR;
}

// All is written when finish() returns. A card whose power is off is not ready until it is initialized again.
extern "C" DRESULT disk_ioctl(BYTE pdrv, BYTE cmd, void* buff) {
  if (pdrv != 0) return RES_PARERR;
  if (cmd == MMC_GET_CID) return sd_card::identify(static_cast<BYTE*>(buff)) ? RES_OK : RES_ERROR;
  if (cmd != CTRL_SYNC && cmd != CTRL_POWER) return RES_PARERR;
  const bool written = sd_card::finish();
  if (cmd == CTRL_POWER && *static_cast<const BYTE*>(buff) == 0) started = false;
  return written ? RES_OK : RES_ERROR;
}
