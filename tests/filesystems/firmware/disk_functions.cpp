// What FatFs asks of its drive 0, which is the SD card.
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

extern "C" DSTATUS disk_status(BYTE drive) { return drive == 0 && started ? 0 : STA_NOINIT; }

extern "C" DSTATUS disk_initialize(BYTE drive) {
  started = drive == 0 && sd_card::start();
  return disk_status(drive);
}

extern "C" DRESULT disk_read(BYTE drive, BYTE* data, LBA_t sector, UINT count) {
  return drive == 0 ? move_blocks(data, sector, count, &sd_card::read) : RES_PARERR;
}

extern "C" DRESULT disk_write(BYTE drive, const BYTE* data, LBA_t sector, UINT count) {
  return drive == 0 ? move_blocks(data, sector, count, &sd_card::write) : RES_PARERR;
}

// A block has been written when the card is no longer busy, which write() waits for.
extern "C" DRESULT disk_ioctl(BYTE drive, BYTE command, void*) {
  return drive == 0 && command == CTRL_SYNC ? RES_OK : RES_PARERR;
}
