#include "host_card.h"

#include "ff.h"
// After it:
#include "diskio.h"
#include "microparquet/port/semihosting.h"
#include "semihosting_trace.h"
#include "tick_timer.h"

namespace {

namespace semihosting = microparquet::semihosting;

constexpr std::uint32_t kSectorBytes = 512;
constexpr std::uint32_t kClocksPerUs = tick_timer::kHertz / 1'000'000;

std::int32_t image = -1;
stalls::StallTrace trace;
bool has_pauses = false;
bool takes_time = false;
std::uint32_t pauses_met = 0;

bool is_in() { return image >= 0; }

// Goes to a sector of the image, which has less than 4 GiB.
bool seek(LBA_t sector) {
  return semihosting::seek(image, static_cast<std::uint32_t>(sector) * kSectorBytes) == 0;
}

void wait_us(std::uint64_t begin, std::uint32_t us) {
  tick_timer::wait_until(begin + std::uint64_t{us} * kClocksPerUs);
}

// Takes the time of a command that began at `begin`.
void pass(std::uint64_t begin, std::uint32_t sectors, std::uint32_t pause_ms) {
  wait_us(begin, host_card::kCommandUs + sectors * host_card::kSectorUs + pause_ms * 1000);
}

}  // namespace

namespace host_card {

bool insert(const char* image_path, const char* pauses_path) {
  has_pauses = pauses_path != nullptr;
  if (has_pauses && !stalls::read_trace(pauses_path, trace)) return false;
  image = semihosting::open(image_path, semihosting::OpenMode::kReadWrite);
  return is_in();
}

void begin() { takes_time = true; }

std::uint32_t pauses() { return pauses_met; }

}  // namespace host_card

extern "C" DSTATUS disk_status(BYTE pdrv) { return pdrv == 0 && is_in() ? 0 : STA_NOINIT; }

extern "C" DSTATUS disk_initialize(BYTE pdrv) { return disk_status(pdrv); }

extern "C" DRESULT disk_read(BYTE pdrv, BYTE* buff, LBA_t sector, UINT count) {
  if (pdrv != 0) return RES_PARERR;
  const std::uint64_t begin = tick_timer::clocks();
  if (!seek(sector) || semihosting::read(image, buff, count * kSectorBytes) != 0) return RES_ERROR;
  if (takes_time) wait_us(begin, count * host_card::kSectorUs);
  return RES_OK;
}

extern "C" DRESULT disk_write(BYTE pdrv, const BYTE* buff, LBA_t sector, UINT count) {
  if (pdrv != 0) return RES_PARERR;
  const std::uint64_t begin = tick_timer::clocks();
  if (!seek(sector) || semihosting::write(image, buff, count * kSectorBytes) != 0) return RES_ERROR;
  if (!takes_time) return RES_OK;
  const std::uint32_t pause_ms = has_pauses ? trace.meet(tick_timer::now_ms()) : 0;
  pauses_met += pause_ms != 0 ? 1 : 0;
  pass(begin, count, pause_ms);
  return RES_OK;
}

// A write returns when the card is ready again.
extern "C" DRESULT disk_ioctl(BYTE pdrv, BYTE cmd, void* /*buff*/) {
  return pdrv == 0 && cmd == CTRL_SYNC ? RES_OK : RES_PARERR;
}
