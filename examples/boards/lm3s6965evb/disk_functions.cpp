// The disk functions that FatFs calls for its drive 0, the SD card.
#include "ff.h"
// After it:
#include "diskio.h"
#include "sd_card.h"

static_assert(FF_MAX_SS == sd_card::kBlockBytes);

namespace {

bool started = false;

template <typename Data, typename Move>
DRESULT move_blocks(Data* data, LBA_t sector, UINT count, Move move) {
  for (UINT i = 0; i < count; ++i) {
    if (!move(sector + i, data + i * sd_card::kBlockBytes)) return RES_ERROR;
  }
  return RES_OK;
}

}  // namespace

extern "C" DSTATUS disk_status(BYTE pdrv) {
  if (pdrv != 0 || !started) return STA_NOINIT;
  return sd_card::is_protected() ? STA_PROTECT : 0;
}

extern "C" DSTATUS disk_initialize(BYTE pdrv) {
  started = pdrv == 0 && sd_card::start();
  return disk_status(pdrv);
}

extern "C" DRESULT disk_read(BYTE pdrv, BYTE* buff, LBA_t sector, UINT count) {
  return pdrv == 0 ? move_blocks(buff, sector, count, &sd_card::read) : RES_PARERR;
}

extern "C" DRESULT disk_write(BYTE pdrv, const BYTE* buff, LBA_t sector, UINT count) {
  if (sd_card::is_protected()) return RES_WRPRT;
  return pdrv == 0 ? move_blocks(buff, sector, count, &sd_card::write) : RES_PARERR;
}

// A block has been written when the card is no longer busy, which write() waits for. A card whose power is
// off is not ready until it is initialized again.
extern "C" DRESULT disk_ioctl(BYTE pdrv, BYTE cmd, void* buff) {
  if (pdrv != 0) return RES_PARERR;
  if (cmd == MMC_GET_CID) return sd_card::identify(static_cast<BYTE*>(buff)) ? RES_OK : RES_ERROR;
  if (cmd == CTRL_POWER && *static_cast<const BYTE*>(buff) == 0) started = false;
  return cmd == CTRL_SYNC || cmd == CTRL_POWER ? RES_OK : RES_PARERR;
}
