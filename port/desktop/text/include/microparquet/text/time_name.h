// What the name of a column says of time: whether it has the times of rows, in which unit, and which part of a date. The words are
// those of tests/programs/data/times.json, by which the viewer goes, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace microparquet::text {

enum class ClockUnit : std::uint8_t { kNanos, kMicros, kMillis, kSeconds, kMinutes, kHours, kDays };

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
    case ClockUnit::kDays: return 86'400'000'000'000;
  }
  return 1;
}

// What a column has of a time that stands in several.
enum class TimePart : std::uint8_t {
  kNone,
  kYear,
  kMonth,
  kDay,
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
