#include "file_dates.h"

#include "ff.h"
#include "microparquet/port/fatfs_time.h"

namespace {

std::int64_t now_s = 0;

}  // namespace

void file_dates::set(std::int64_t unix_s) { now_s = unix_s; }

// FatFs asks whenever it writes an entry.
extern "C" DWORD get_fattime() { return microparquet::fattime_of(now_s); }
