// Days of the calendar, in UTC.
#pragma once

#include <cstdint>

namespace microparquet::detail {

constexpr std::int64_t kDaysOfEra = 146'097;       // after which the calendar comes again
constexpr std::int64_t kDaysBefore1970 = 719'468;  // since 1 March of year 0

struct CalendarDay {
  std::uint32_t year;
  std::uint32_t month;  // from 1
  std::uint32_t day;    // from 1
};

// Returns the day of a count of days since 1970. Years begin in March here, so that the odd day comes last.
constexpr CalendarDay day_of(std::int64_t days) {
  const std::int64_t since = days + kDaysBefore1970;
  const auto of_era = static_cast<std::uint32_t>(since % kDaysOfEra);
  const std::uint32_t year = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::uint32_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::uint32_t from_march = (5 * of_year + 2) / 153;
  const std::uint32_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const auto era = static_cast<std::uint32_t>(since / kDaysOfEra);
  return {era * 400 + year + (month <= 2 ? 1 : 0), month, of_year - (153 * from_march + 2) / 5 + 1};
}

}  // namespace microparquet::detail
