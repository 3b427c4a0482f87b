// Dates and times by ISO 8601, as text and out of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "microparquet/schema.h"

namespace mpq_tool {

inline constexpr std::int64_t kSecondsOfDay = 86'400;
inline constexpr std::int64_t kSecondsOfHour = 3'600;
inline constexpr std::int64_t kNanosOfSecond = 1'000'000'000;

// Number of units of a time or a timestamp in a second.
constexpr std::int64_t units_per_second(microparquet::TimeUnit unit) {
  switch (unit) {
    case microparquet::TimeUnit::kMillis: return 1'000;
    case microparquet::TimeUnit::kMicros: return 1'000'000;
    case microparquet::TimeUnit::kNanos: return 1'000'000'000;
  }
  return 1;
}

// Days since 1970-01-01, as "2026-02-28". Years outside 0000 to 9999 have a sign.
std::string date_text(std::int64_t days);

// Units since midnight, as "06:00:00", with as many digits after the seconds as are needed: none, 3, 6 or 9.
std::string time_text(std::int64_t units, microparquet::TimeUnit unit);

// Units since 1970-01-01 00:00, as "2026-02-28T06:00:00.250".
std::string timestamp_text(std::int64_t units, microparquet::TimeUnit unit);

// A time in units of a column; `exact` false: it lies between this one and the next.
struct CalendarValue {
  std::int64_t units = 0;
  bool exact = true;
  bool has_zone = false;  // the text said one
};

// "2026-02-28", as days since 1970-01-01; years outside 0000 to 9999 with a sign. None: it is no date.
std::optional<std::int64_t> date_value(std::string_view text);

// Days since 1970-01-01 of a date. None: the year has no such day.
std::optional<std::int64_t> date_value(std::int64_t year, std::int64_t month, std::int64_t day);

// "06:00", "06:00:00" or "06:00:00.25", as units since midnight, up to 24:00. None: it is no time.
std::optional<CalendarValue> time_value(std::string_view text, microparquet::TimeUnit unit);

// "2026-02-28T06:00:00.25Z", as units since 1970-01-01 00:00. The time may be left out, a space stand in place of
// the T, and "+01:00" in place of the Z. None: it is no such text, or farther away than the unit counts.
std::optional<CalendarValue> timestamp_value(std::string_view text, microparquet::TimeUnit unit);

}  // namespace mpq_tool
