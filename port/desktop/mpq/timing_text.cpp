#include "timing_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "calendar.h"
#include "microparquet/text/grouped_digits.h"

namespace mpq_tool {

namespace {

using microparquet::TimeUnit;
using microparquet::text::counted;
using microparquet::text::grouped_digits;

// A number with as many digits as `format` says, and without zeros at the end.
std::string number_text(double number, const char* format) {
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

double seconds_of(const TimeColumn& column, std::int64_t units) {
  return static_cast<double>(units) / static_cast<double>(column.units_per_second);
}

// A whole second has no unit of the calendar's.
std::string calendar_instant(std::int64_t per_second, std::int64_t units) {
  std::int64_t millis = 0;
  switch (per_second) {
    case 1'000: return timestamp_text(units, TimeUnit::kMillis);
    case 1'000'000: return timestamp_text(units, TimeUnit::kMicros);
    case 1'000'000'000: return timestamp_text(units, TimeUnit::kNanos);
    default: break;
  }
  return __builtin_mul_overflow(units, std::int64_t{1'000}, &millis)
             ? std::to_string(units) + " s"
             : timestamp_text(millis, TimeUnit::kMillis);
}

// "23:59:54.950"; a time on an axis that continues after midnight is one of its day.
std::string time_of_day_text(const TimeColumn& column, std::int64_t units) {
  const std::int64_t day = kSecondsOfDay * column.units_per_second;
  const std::int64_t of_day = (units % day + day) % day;
  switch (column.units_per_second) {
    case 1: return time_text(of_day * 1'000, TimeUnit::kMillis);
    case 1'000: return time_text(of_day, TimeUnit::kMillis);
    case 1'000'000: return time_text(of_day, TimeUnit::kMicros);
    default: return time_text(of_day, TimeUnit::kNanos);
  }
}

// "2 h 5 min", "2 h".
std::string parts_text(double large, const char* large_unit, double small, const char* small_unit) {
  std::string text = number_text(std::floor(large), "%.0f ") + large_unit;
  if (std::floor(small) > 0) {
    text += number_text(std::floor(small), " %.0f ") + small_unit;
  }
  return text;
}

}  // namespace

std::string instant_text(const TimeColumn& column, std::int64_t units) {
  const std::optional<std::int64_t> instant = since_1970(column, units);
  if (column.kind == TimeColumn::Kind::kTimeOfDay && !instant) {
    return time_of_day_text(column, units);
  }
  if (!instant) {
    return number_text(seconds_of(column, units), "%.3f") + " s";
  }
  return calendar_instant(column.units_per_second, *instant) + (is_utc(column) ? "Z" : "");
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  constexpr double kDay = 86400;
  if (seconds < 1e-6) {
    return number_text(seconds * 1e9, "%.3g") + " ns";
  }
  if (seconds < 1e-3) {
    return number_text(seconds * 1e6, "%.3g") + " us";
  }
  if (seconds < 1) {
    return number_text(seconds * 1e3, "%.3g") + " ms";
  }
  if (seconds < kMinute) {
    return number_text(seconds, "%.3g") + " s";
  }
  if (seconds < kHour) {
    return parts_text(seconds / kMinute, "min", std::fmod(seconds, kMinute), "s");
  }
  if (seconds < 2 * kDay) {
    return parts_text(seconds / kHour, "h", std::fmod(seconds, kHour) / kMinute, "min");
  }
  return parts_text(seconds / kDay, "days", std::fmod(seconds, kDay) / kHour, "h");
}

std::string span_text(const LogTiming& timing) { return duration_text(span_seconds(timing)); }

std::string rate_in_brief(const LogTiming& timing) {
  const double seconds = seconds_of(timing.time, timing.interval);
  return seconds <= 1 ? number_text(1 / seconds, "%.6g") + " Hz" : "every " + duration_text(seconds);
}

std::string rate_text(const LogTiming& timing) {
  const double seconds = seconds_of(timing.time, timing.interval);
  if (!timing.regular) {
    return "irregular; from row to row mostly " + duration_text(seconds);
  }
  const double jitter = timing.jitter / static_cast<double>(timing.time.units_per_second);
  const std::string brief = rate_in_brief(timing);
  return (seconds <= 1 ? brief + ", a row every " + duration_text(seconds) : "a row " + brief) +
         (jitter == 0 ? ", without jitter" : ", jitter " + duration_text(jitter));
}

std::vector<std::string> missing_text(const LogTiming& timing, std::uint64_t dropped) {
  std::vector<std::string> lines;
  const std::uint64_t by_time = timing.regular ? timing.missing : 0;
  if (timing.regular) {
    lines.push_back(timing.gaps == 0 ? "none"
                                     : grouped_digits(timing.gaps) + ", the longest " +
                                           duration_text(seconds_of(timing.time, timing.longest_gap)) +
                                           " after row " + grouped_digits(timing.longest_gap_row) + "; " +
                                           counted(timing.missing, "row is missing", "rows are missing"));
  }
  if (const std::uint64_t back = timing.steps_back - timing.restarts; back != 0) {
    lines.push_back("the time goes back at " + counted(back, "row", "rows"));
  }
  if (!timing.numbers_missing) {
    return lines;
  }
  const std::uint64_t numbered = *timing.numbers_missing;
  if (numbered != 0) {
    const std::uint64_t full = std::min(dropped, numbered);
    std::string text =
        counted(numbered, "number is missing", "numbers are missing") + ": taken, and not in the file";
    if (full != 0) {
      text += full == numbered ? ", dropped by a full queue"
                               : "; " + grouped_digits(full) + " of them dropped by a full queue";
    }
    lines.push_back(text);
  }
  if (by_time > numbered) {
    lines.push_back(counted(by_time - numbered, "row was", "rows were") +
                    " never taken: no number is missing for " + (by_time - numbered == 1 ? "it" : "them"));
  }
  return lines;
}

std::vector<std::string> clock_text(const LogTiming& timing) {
  std::vector<std::string> lines;
  if (timing.habits.newest_first) {
    lines.emplace_back("the newest row is the first");
  }
  if (timing.undated != 0) {
    lines.push_back(counted(timing.undated, "row has no date: its", "rows have no date: their") +
                    " boot never learned the time, and has ticks alone");
  }
  const std::uint64_t joins = timing.restarts + timing.sets;
  if (joins == 0) {
    return lines;
  }
  std::string text;
  if (timing.restarts != 0) {
    text = "begins again " + counted(timing.restarts, "time", "times");
  }
  if (timing.sets != 0) {
    text += (text.empty() ? "was set " : ", was set ") + counted(timing.sets, "time", "times");
  }
  const double step = seconds_of(timing.time, timing.first_run_step);
  lines.push_back(text + (joins == 1 ? ", " : ", first ") + duration_text(std::abs(step)) +
                  (step < 0 ? " back" : " on") + " after row " + grouped_digits(timing.first_run_row) + "; " +
                  grouped_digits(joins + 1) + " runs follow each other");
  return lines;
}

}  // namespace mpq_tool
