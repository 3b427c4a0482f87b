#include "sector_writes.h"

#include "card_switch.h"
// After ff.h:
#include "diskio.h"

// Names that the linker gives them: callers of disk_write reach the first, which calls the board's own.
extern "C" DRESULT count_and_write(BYTE drive, const BYTE* data, LBA_t sector,
                                   UINT count) asm("__wrap_disk_write");
extern "C" DRESULT write(BYTE drive, const BYTE* data, LBA_t sector, UINT count) asm("__real_disk_write");

namespace {

std::uint32_t written = 0;

}  // namespace

std::uint32_t sector_writes() { return written; }

DRESULT count_and_write(BYTE drive, const BYTE* data, LBA_t sector, UINT count) {
  if (!card_switch::has_supply()) return RES_NOTRDY;
  written += count;
  return write(drive, data, sector, count);
}
