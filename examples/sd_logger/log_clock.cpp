#include "log_clock.h"

#include <cstddef>

#include "ff.h"
#include "microparquet/port/fatfs_time.h"

namespace {

// A number of two digits, and what follows it.
char* put(char* to, std::uint32_t number, char after) {
  *to++ = static_cast<char>('0' + number / 10 % 10);
  *to++ = static_cast<char>('0' + number % 10);
  *to++ = after;
  return to;
}

// Writes a date as FatFs has it, whose seconds are even: the odd one comes from `unix_s`.
void put_time(char* to, DWORD fat, std::int64_t unix_s) {
  constexpr std::uint32_t kFirstYear = 1980;
  const std::uint32_t year = kFirstYear + (fat >> 25);
  to = put(to, year / 100, ' ') - 1;
  to = put(to, year % 100, '-');
  to = put(to, fat >> 21 & 15, '-');
  to = put(to, fat >> 16 & 31, 'T');
  to = put(to, fat >> 11 & 31, ':');
  to = put(to, fat >> 5 & 63, ':');
  put(to, static_cast<std::uint32_t>(unix_s % 60), 'Z');
}

}  // namespace

void LogClock::set(std::int64_t unix_s, std::uint32_t now_ms) {
  if (microparquet::fattime_of(unix_s) == microparquet::kNoFattime) return;
  const std::int64_t up_ms = up_ms_ + (now_ms - now_ms_);
  const std::int64_t started_ms = unix_s * kMsPerS - up_ms;
  const std::int64_t started_s = (started_ms + kMsPerS / 2) / kMsPerS;
  const DWORD fat = microparquet::fattime_of(started_s);
  if (fat == microparquet::kNoFattime) return;
  started_ms_ = started_ms;
  if (!is_set_) put_time(started_at_, fat, started_s);
  is_set_ = true;
}
