#include "slow_card.h"

#include "ff.h"
// After it:
#include "diskio.h"

// Names that the linker gives them: callers of disk_write reach the first, which calls the board's own.
extern "C" DRESULT write_slowly(BYTE drive, const BYTE* data, LBA_t sector,
                                UINT count) asm("__wrap_disk_write");
extern "C" DRESULT write_to_card(BYTE drive, const BYTE* data, LBA_t sector,
                                 UINT count) asm("__real_disk_write");

namespace {

stalls::CardLatency* slowness = nullptr;

}  // namespace

void slow_down(stalls::CardLatency& latency) { slowness = &latency; }

DRESULT write_slowly(BYTE drive, const BYTE* data, LBA_t sector, UINT count) {
  for (UINT i = 0; i < count && slowness != nullptr; ++i) slowness->pass();
  return write_to_card(drive, data, sector, count);
}
