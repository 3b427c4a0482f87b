// FAT's dates, which this library takes as UTC.
#pragma once

#include <cstdint>

#include "microparquet/detail/calendar.h"

namespace microparquet::detail {

// A date and a time as directory entries have them.
struct FatDate {
  std::uint16_t date = 0;  // 0: there is none
  std::uint16_t time = 0;
};

constexpr std::int64_t kFatSecondsOfDay = 86'400;
constexpr unsigned kFirstFatYear = 1980;
constexpr unsigned kLastFatYear = 2107;

// Returns the seconds since 1970; 0: there is no date. Years begin in March, so that the odd day comes last.
constexpr std::int64_t seconds_of(FatDate fat) {
  const int month = fat.date >> 5 & 15;
  const int day = fat.date & 31;
  if (month == 0 || month > 12 || day == 0) return 0;
  const int year = static_cast<int>(kFirstFatYear) + (fat.date >> 9) - (month <= 2 ? 1 : 0);
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t days = 365LL * year + year / 4 - year / 100 + year / 400 + day_of_year - kDaysBefore1970;
  return days * kFatSecondsOfDay + (fat.time >> 11) * 3'600LL + (fat.time >> 5 & 63) * 60LL +
         (fat.time & 31) * 2LL;
}

// Returns FAT's date of a time in seconds since 1970; none before 1980 and after 2107.
constexpr FatDate fat_date_of(std::int64_t unix_s) {
  if (unix_s < 0) return {};
  const CalendarDay day = day_of(unix_s / kFatSecondsOfDay);
  if (day.year < kFirstFatYear || day.year > kLastFatYear) return {};
  const auto second = static_cast<unsigned>(unix_s % kFatSecondsOfDay);
  FatDate fat;
  fat.date = static_cast<std::uint16_t>((day.year - kFirstFatYear) << 9 | day.month << 5 | day.day);
  fat.time = static_cast<std::uint16_t>(second / 3'600 << 11 | second / 60 % 60 << 5 | second % 60 / 2);
  return fat;
}

}  // namespace microparquet::detail
