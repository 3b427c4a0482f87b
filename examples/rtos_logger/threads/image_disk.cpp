#include "image_disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>

#include "ff.h"
// After it:
#include "diskio.h"

namespace {

constexpr off_t kSectorBytes = FF_MAX_SS;

int image = -1;

off_t place_of(LBA_t sector) { return static_cast<off_t>(sector) * kSectorBytes; }

std::size_t bytes_of(UINT sectors) { return sectors * static_cast<std::size_t>(kSectorBytes); }

DRESULT answer(ssize_t moved, UINT sectors) {
  return moved == static_cast<ssize_t>(bytes_of(sectors)) ? RES_OK : RES_ERROR;
}

}  // namespace

namespace image_disk {

bool open(const char* path) {
  image = ::open(path, O_RDWR | O_CLOEXEC);
  return image >= 0;
}

}  // namespace image_disk

extern "C" DSTATUS disk_status(BYTE pdrv) { return pdrv == 0 && image >= 0 ? 0 : STA_NOINIT; }

extern "C" DSTATUS disk_initialize(BYTE pdrv) { return disk_status(pdrv); }

extern "C" DRESULT disk_read(BYTE, BYTE* buff, LBA_t sector, UINT count) {
  return answer(pread(image, buff, bytes_of(count), place_of(sector)), count);
}

extern "C" DRESULT disk_write(BYTE, const BYTE* buff, LBA_t sector, UINT count) {
  return answer(pwrite(image, buff, bytes_of(count), place_of(sector)), count);
}

// The host keeps written data when the program ends; the driver of a real card waits here until the card is
// done.
extern "C" DRESULT disk_ioctl(BYTE, BYTE cmd, void*) { return cmd == CTRL_SYNC ? RES_OK : RES_PARERR; }
