// What surrounds a logger on FatFs in these tests: a card in memory, a clock, and at the end its file on this machine.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "ff.h"  // before the next one, which needs its types
//
#include "diskio.h"

#ifdef LOGGER_IN_C
extern "C" {
#endif
struct Sample;
std::uint32_t now_ms();
bool is_stopped();
int logger_main();
#ifdef LOGGER_IN_C
}
#endif

namespace {

constexpr std::uint32_t kRows = 20'000;
BYTE disk[16 << 20];
std::uint32_t rows = 0;

bool format() {
  static BYTE work[4096];
  MKFS_PARM parameters = {};
  parameters.fmt = FM_ANY;
  return f_mkfs("", &parameters, work, sizeof work) == FR_OK;
}

bool copy_log() {
  static BYTE part[4096];
  FIL file;
  UINT bytes = sizeof part;
  if (f_open(&file, "log.parquet", FA_READ) != FR_OK) return false;
  std::FILE* const out = std::fopen("log.parquet", "wb");
  while (bytes == sizeof part && f_read(&file, part, sizeof part, &bytes) == FR_OK)
    std::fwrite(part, 1, bytes, out);
  return std::fclose(out) == 0;
}

}  // namespace

// Counts rows by the questions whether to stop.
std::uint32_t now_ms() { return rows * 10; }
bool is_stopped() { return rows++ == kRows; }

extern "C" {
std::int64_t time_of_row() { return 1'700'000'000'000'000 + 10'000 * static_cast<std::int64_t>(rows); }

DSTATUS disk_status(BYTE) { return 0; }
DSTATUS disk_initialize(BYTE) { return 0; }
DRESULT disk_read(BYTE, BYTE* to, LBA_t sector, UINT count) {
  std::memcpy(to, disk + sector * 512, count * 512UL);
  return RES_OK;
}
DRESULT disk_write(BYTE, const BYTE* from, LBA_t sector, UINT count) {
  std::memcpy(disk + sector * 512, from, count * 512UL);
  return RES_OK;
}
DRESULT disk_ioctl(BYTE, BYTE command, void* out) {
  if (command == GET_SECTOR_COUNT) *static_cast<LBA_t*>(out) = sizeof disk / 512;
  if (command == GET_BLOCK_SIZE) *static_cast<DWORD*>(out) = 1;
  return RES_OK;
}
DWORD get_fattime() { return 0x5A000000; }
}

int main() { return format() && logger_main() == 0 && copy_log() ? 0 : 1; }
