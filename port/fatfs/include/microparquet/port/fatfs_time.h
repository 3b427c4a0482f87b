// Dates of FatFs's directory entries.
#pragma once

#include <cstdint>

#include "ff.h"
#include "microparquet/detail/fat_date.h"

namespace microparquet {

// What fattime_of() returns for no time: 1 January 1980. Entries of exFAT that have no day at all are skipped by some programs.
inline constexpr DWORD kNoFattime = DWORD{1} << 21 | DWORD{1} << 16;

// Returns what get_fattime() gives for a time in seconds since 1970; kNoFattime, which no limit of age counts, before 1980 and
// after 2107, as of a clock that was not set. FatFs asks with FF_FS_NORTC 0:
//
//   DWORD get_fattime() { return microparquet::fattime_of(unix_s); }  // of the log's clock; 0: not known
//
// It takes the time as UTC, as FatFsLogFolder does, for RetentionLimits::age_s.
constexpr DWORD fattime_of(std::int64_t unix_s) {
  const detail::FatDate fat = detail::fat_date_of(unix_s);
  return fat.date == 0 ? kNoFattime : DWORD{fat.date} << 16 | fat.time;
}

}  // namespace microparquet
