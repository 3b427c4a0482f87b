#include "calendar_text.h"

#include <cinttypes>
#include <cstdio>

namespace mpq_tool {

namespace {

using microparquet::TimeUnit;

constexpr std::int64_t kSecondsPerDay = 86'400;

// Rounded towards the past, so that the rest is never negative.
struct Quotient {
  std::int64_t whole;
  std::int64_t rest;
};
constexpr Quotient divide(std::int64_t number, std::int64_t by) {
  const bool down = number % by < 0;
  return {number / by - (down ? 1 : 0), number % by + (down ? by : 0)};
}

std::string fraction_text(std::int64_t nanos) {
  char text[32] = {};
  if (nanos == 0) {
    return {};
  }
  if (nanos % 1'000'000 == 0) {
    std::snprintf(text, sizeof text, ".%03" PRId64, nanos / 1'000'000);
  } else if (nanos % 1'000 == 0) {
    std::snprintf(text, sizeof text, ".%06" PRId64, nanos / 1'000);
  } else {
    std::snprintf(text, sizeof text, ".%09" PRId64, nanos);
  }
  return text;
}

std::string clock_text(std::int64_t seconds, std::int64_t nanos) {
  char text[64];
  std::snprintf(text, sizeof text, "%02" PRId64 ":%02" PRId64 ":%02" PRId64, seconds / 3600,
                seconds / 60 % 60, seconds % 60);
  return text + fraction_text(nanos);
}

}  // namespace

// In the proleptic Gregorian calendar. Years are counted from March, so that the leap day is the last of its
// year.
std::string date_text(std::int64_t days) {
  constexpr std::int64_t kDaysOf400Years = 146'097;
  constexpr std::int64_t kEpoch = 719'468;  // from 0000-03-01 to 1970-01-01
  const auto [era, day_of_era] = divide(days + kEpoch, kDaysOf400Years);
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const std::int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const std::int64_t year = era * 400 + year_of_era + (month <= 2 ? 1 : 0);
  char text[64];
  const char* format = year >= 0 && year <= 9'999 ? "%04" PRId64 "-%02" PRId64 "-%02" PRId64
                                                  : "%+05" PRId64 "-%02" PRId64 "-%02" PRId64;
  std::snprintf(text, sizeof text, format, year, month, day);
  return text;
}

std::string time_text(std::int64_t units, TimeUnit unit) {
  const auto [seconds, rest] = divide(units, units_per_second(unit));
  const std::string text =
      clock_text(seconds < 0 ? -seconds : seconds, rest * (1'000'000'000 / units_per_second(unit)));
  return seconds < 0 ? "-" + text : text;
}

std::string timestamp_text(std::int64_t units, TimeUnit unit) {
  const auto [seconds, rest] = divide(units, units_per_second(unit));
  const auto [days, second_of_day] = divide(seconds, kSecondsPerDay);
  return date_text(days) + "T" + clock_text(second_of_day, rest * (1'000'000'000 / units_per_second(unit)));
}

}  // namespace mpq_tool
