#include "time_window.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "calendar.h"
#include "microparquet/text/grouped_digits.h"
#include "time_parts.h"

namespace mpq_tool {

namespace {

using microparquet::TimeUnit;
using microparquet::text::grouped_digits;

// None: it is no number, or too large.
std::optional<std::int64_t> seconds_in_units(const std::string& text, std::int64_t units_per_second) {
  double seconds = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, seconds);
  const double units = seconds * static_cast<double>(units_per_second);
  constexpr double kMost = 9.2e18;
  return error == std::errc() && end == last && std::abs(units) < kMost
             ? std::optional(static_cast<std::int64_t>(std::llround(units)))
             : std::nullopt;
}

// Units that a second has fewer than thousand of are no calendar's.
std::optional<std::int64_t> instant_in_units(const std::string& text, std::int64_t per_second) {
  const TimeUnit unit = per_second == units_per_second(TimeUnit::kNanos)    ? TimeUnit::kNanos
                        : per_second == units_per_second(TimeUnit::kMicros) ? TimeUnit::kMicros
                                                                            : TimeUnit::kMillis;
  const auto value = timestamp_value(text, unit);
  return value ? std::optional(value->units / (units_per_second(unit) / per_second)) : std::nullopt;
}

std::optional<std::int64_t> time_of_day_in_units(const std::string& text, std::int64_t per_second) {
  const auto value = time_value(text, TimeUnit::kNanos);
  return value ? std::optional(value->units / (units_per_second(TimeUnit::kNanos) / per_second))
               : std::nullopt;
}

// A time as a literal of its column: a text for a timestamp, a date or a time of day, otherwise a number.
WrittenValue written(const TimeColumn& time, std::int64_t units) {
  const TimeSource& source = time.sources.front();
  const microparquet::LogicalType& logical = source.column.element.logical;
  const auto factor = static_cast<double>(source.factor);
  WrittenValue value;
  value.kind = WrittenKind::kNumber;
  if (time.is_timestamp()) {
    value.kind = WrittenKind::kText;
    value.word.text = timestamp_text(units, logical.unit) + (logical.utc ? "Z" : "");
  } else {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(units) / factor);
    value.word.text = is_floating_column(source.column) ? text : std::to_string(units / source.factor);
  }
  return value;
}

Condition bound(const TimeColumn& time, Test test, std::int64_t units) {
  Condition condition;
  condition.kind = Condition::Kind::kCompare;
  condition.column.text = time.sources.front().column.name;
  condition.test = test;
  condition.values.push_back(written(time, units));
  return condition;
}

Condition condition_of(const TimeColumn& time, const TimeWindow& window) {
  Condition all;
  all.kind = Condition::Kind::kAnd;
  if (window.from) {
    all.parts.push_back(bound(time, Test::kGreaterEqual, *window.from));
  }
  if (window.to) {
    all.parts.push_back(bound(time, Test::kLessEqual, *window.to));
  }
  return all;
}

}  // namespace

std::int64_t window_time(const std::string& option, const std::string& text, const TimeColumn& time) {
  if (time.since_1970() || time.start) {
    if (const auto instant = instant_in_units(text, time.units_per_second)) {
      return *instant - time.start.value_or(0);
    }
  }
  if (time.kind == TimeColumn::Kind::kTimeOfDay) {
    if (const auto units = time_of_day_in_units(text, time.units_per_second)) {
      return *units;
    }
  }
  if (!time.since_1970()) {
    if (const auto units = seconds_in_units(text, time.units_per_second)) {
      return *units;
    }
  }
  throw WrongRequest(option + " " + text + ": expected " +
                     (time.since_1970() ? "a time such as 2026-02-28T06:00:00Z"
                      : time.start      ? "seconds since the start, or a time such as 2026-02-28T06:00:00Z"
                                        : "seconds, such as 12.5") +
                     ", as column " + time.name() + " has them");
}

void refuse_endless_rows(ParquetFile& file) {
  constexpr std::uint64_t kRowsOfByte =
      1000;  // more than those of any log, however regular and well compressed
  constexpr std::uint64_t kAlways = 10'000'000;
  microparquet::Reader& reader = file.reader();
  if (reader.rows() > kAlways && reader.rows() / kRowsOfByte > reader.file_bytes()) {
    throw Failure(file.name() + " claims " + grouped_digits(reader.rows()) + " rows in " +
                  grouped_digits(reader.file_bytes()) + " bytes, which are not all read for this");
  }
}

WindowRows::WindowRows(ParquetFile& file, const std::vector<Column>& columns, const TimeColumn& time,
                       const TimeWindow& window)
    : condition_(condition_of(time, window)),
      source_(file, columns, {}, condition_.parts.empty() ? nullptr : &condition_) {}

}  // namespace mpq_tool
