// What the name of a column says of time: whether it has the times of rows, in which unit, and which part of a date. The words are
// those of tests/programs/data/times.json, by which the viewer goes, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace microparquet::text {

// The last two are days as spreadsheets count them, since 1899-12-30 and since 1904-01-01.
enum class ClockUnit : std::uint8_t {
  kNanos,
  kMicros,
  kMillis,
  kSeconds,
  kMinutes,
  kHours,
  kDays,
  kExcel,
  kExcel1904
};

// A unit as people write it: "ms", "µs", "Seconds", "[s]". None: it is no unit of time.
std::optional<ClockUnit> clock_unit(std::string_view word);

// "ms", "min".
const char* unit_name(ClockUnit unit);

constexpr std::int64_t nanos_in(ClockUnit unit) {
  switch (unit) {
    case ClockUnit::kNanos: return 1;
    case ClockUnit::kMicros: return 1'000;
    case ClockUnit::kMillis: return 1'000'000;
    case ClockUnit::kSeconds: return 1'000'000'000;
    case ClockUnit::kMinutes: return 60'000'000'000;
    case ClockUnit::kHours: return 3'600'000'000'000;
    case ClockUnit::kDays:
    case ClockUnit::kExcel:
    case ClockUnit::kExcel1904: return 86'400'000'000'000;
  }
  return 1;
}

// Days from 1970 to the day 0 of a unit that counts from a date. None: it counts from any start.
constexpr std::optional<std::int64_t> first_day(ClockUnit unit) {
  constexpr std::int64_t kExcelDay = -25'569;
  constexpr std::int64_t kExcel1904Day = -24'107;
  return unit == ClockUnit::kExcel       ? std::optional(kExcelDay)
         : unit == ClockUnit::kExcel1904 ? std::optional(kExcel1904Day)
                                         : std::nullopt;
}

// What a column has of a time that stands in several.
enum class TimePart : std::uint8_t {
  kNone,
  kYear,
  kMonth,
  kDay,
  kDayOfYear,
  kClockMinutes,  // hours and minutes as digits of one number, 2359
  kClockSeconds,  // seconds, too, 235959
  kHour,
  kMinute,
  kSecond,
  kMillis,
  kMicros,
  kNanos
};

struct TimeName {
  bool is_time = false;     // it is called as the times of rows are, and nothing else is
  bool is_plain = false;    // it speaks of nothing but times, dates and where they come from
  bool is_date = false;     // it is called as dates are, and nothing else is
  bool mentions = false;    // a word of it is one for times
  bool from_start = false;  // it counts from a start, as "elapsed" and "uptime" do
  std::optional<ClockUnit> unit;
  TimePart part = TimePart::kNone;
  std::string
      about;  // the words that are neither for dates, times, nor units: columns of one time have the same
};

// "Time (s)", "rtcTime", "TimeUS", "time_boot_ms".
TimeName time_name(std::string_view name);

}  // namespace microparquet::text
