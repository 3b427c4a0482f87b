#include "time_column.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "calendar.h"

namespace mpq_tool {

namespace {

using microparquet::Cell;
using microparquet::LogicalKind;
using microparquet::Type;

// Floating point that is too large, or NaN, is no time.
std::optional<std::int64_t> rounded(double value) {
  constexpr double kMost = 9.2e18;
  return std::abs(value) < kMost ? std::optional(static_cast<std::int64_t>(std::llround(value)))
                                 : std::nullopt;
}

// Nanoseconds in the day, then the Julian day.
std::optional<std::int64_t> int96_nanos(const Cell& cell) {
  constexpr std::int64_t kJulianDayOfEpoch = 2'440'588;
  constexpr std::int64_t kDayNanos = kSecondsOfDay * kNanosOfSecond;
  std::int64_t nanos = 0;
  std::uint32_t day = 0;
  std::memcpy(&nanos, cell.data, sizeof nanos);
  std::memcpy(&day, cell.data + sizeof nanos, sizeof day);
  std::int64_t units = 0;
  const bool fits = !__builtin_mul_overflow(std::int64_t{day} - kJulianDayOfEpoch, kDayNanos, &units) &&
                    !__builtin_add_overflow(units, nanos, &units);
  return fits ? std::optional(units) : std::nullopt;
}

// `count` times `size` units, and `more`. None: no time lies so far away.
std::optional<std::int64_t> sum_of(std::int64_t count, std::int64_t size, std::int64_t more) {
  std::int64_t units = 0;
  const bool is_far =
      __builtin_mul_overflow(count, size, &units) || __builtin_add_overflow(units, more, &units);
  return is_far ? std::nullopt : std::optional(units);
}

// Days since 1970 of a date of the calendar, whose year may have two digits.
std::optional<std::int64_t> day_number(std::int64_t year, std::int64_t month, std::int64_t day) {
  constexpr std::int64_t kPivot = 69;  // years of two digits: 68 is 2068, 69 is 1969
  if (year < 0 || year > 9'999) {
    return std::nullopt;
  }
  if (year < 100) {
    year += year < kPivot ? 2000 : 1900;
  }
  return date_value(year, month, day);
}

// Units from the first of a year on, of which `units` are those since a day 0 before it. None: the year has no such day.
std::optional<std::int64_t> day_in_year(std::int64_t year, std::int64_t units, std::int64_t day_units) {
  const auto first = day_number(year, 1, 1);
  const auto last = day_number(year, 12, 31);
  return first && last && units >= day_units && units < (*last - *first + 2) * day_units
             ? sum_of(*first - 1, day_units, units)
             : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> counted_units(const Cell& cell, const TimeSource& source) {
  const Type type = source.column.element.type;
  if (type == Type::kFloat || type == Type::kDouble) {
    const double value = type == Type::kFloat ? static_cast<double>(cell.as<float>()) : cell.as<double>();
    const auto units = rounded(value * static_cast<double>(source.factor));
    return units ? sum_of(1, *units, source.offset) : std::nullopt;
  }
  const auto value = integer_in(cell, source.column);
  return value ? sum_of(*value, source.factor, source.offset) : std::nullopt;
}

namespace {

// "07", which a file has as text for its zero.
std::optional<std::int64_t> written_integer(std::string_view text) {
  std::int64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

// Units since 1970 of a date whose digits are a number, 20240331.
std::optional<std::int64_t> date_digits(std::int64_t digits, std::int64_t units_of_second) {
  const auto days = day_number(digits / 10'000, digits / 100 % 100, digits % 100);
  return days ? sum_of(*days, kSecondsOfDay * units_of_second, 0) : std::nullopt;
}

// The same of 2024091, the 91st day of a year.
std::optional<std::int64_t> year_day_digits(std::int64_t digits, std::int64_t units_of_second) {
  constexpr std::int64_t kYear = 1'000;
  const std::int64_t day_units = kSecondsOfDay * units_of_second;
  return day_in_year(digits / kYear, digits % kYear * day_units, day_units);
}

// Units since midnight of a time of day whose digits are a number; `fraction` of a second is in units already.
std::optional<std::int64_t> clock_digits(std::int64_t digits, std::int64_t units_of_second,
                                         std::int64_t fraction) {
  const std::int64_t seconds = digits / 100 % 100 * 60 + digits % 100;
  return sum_of(digits / 10'000, kSecondsOfHour * units_of_second, seconds * units_of_second + fraction);
}

// The same of digits without seconds.
std::optional<std::int64_t> clock_minutes(std::int64_t digits, std::int64_t units_of_second) {
  return sum_of(digits / 100, kSecondsOfHour * units_of_second, digits % 100 * 60 * units_of_second);
}

// What a cell adds to a time.
std::optional<std::int64_t> units_of(const Cell& cell, const TimeSource& source) {
  using Kind = TimeSource::Kind;
  if (source.kind == Kind::kInt96) {
    return int96_nanos(cell);
  }
  if (source.kind == Kind::kText) {
    const auto text = time_text_in(cell.text());
    return text && form_of_both(source.form, text->form) == source.form ? std::optional(text->nanos)
                                                                        : std::nullopt;
  }
  const auto units = counted_units(cell, source);
  if (!units || source.kind == Kind::kCount) {
    return units;
  }
  const std::int64_t digits = *units / source.factor;
  switch (source.kind) {
    case Kind::kDateDigits: return date_digits(digits, source.factor);
    case Kind::kYearDayDigits: return year_day_digits(digits, source.factor);
    case Kind::kClockMinutes: return clock_minutes(digits, source.factor);
    default: return clock_digits(digits, source.factor, *units % source.factor);
  }
}

}  // namespace

bool TimeColumn::has(const Column& column) const {
  const auto is_it = [&](const TimeSource& source) { return source.column.number == column.number; };
  return (ticks && is_it(*ticks)) || std::any_of(sources.begin(), sources.end(), is_it);
}

bool TimeColumn::is_timestamp() const {
  return !ticks && sources.size() == 1 &&
         sources.front().column.element.logical.kind == LogicalKind::kTimestamp;
}

std::string TimeColumn::name() const {
  std::string name;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    name += i == 0 ? "" : i + 1 == sources.size() ? " and " : ", ";
    name += sources[i].column.name;
  }
  return name;
}

TimeCells::TimeCells(const TimeColumn& time, std::vector<Column>& chosen) : time_(time) {
  for (const TimeSource& source : time.sources) {
    cells_.push_back(place(source, chosen));
  }
  tick_cell_ = time.ticks ? place(*time.ticks, chosen) : 0;
}

std::size_t TimeCells::place(const TimeSource& source, std::vector<Column>& chosen) {
  const auto found = std::find_if(chosen.begin(), chosen.end(),
                                  [&](const Column& one) { return one.number == source.column.number; });
  const auto at = static_cast<std::size_t>(found - chosen.begin());
  if (found == chosen.end()) {
    chosen.push_back(source.column);
  }
  return at;
}

std::optional<std::int64_t> TimeCells::time(const microparquet::Reader& reader, std::uint64_t row) const {
  const auto counted = counted_time(reader);
  if (time_.ticks) {
    return counted ? counted
                   : dated_tick(reader.cell(static_cast<std::uint32_t>(tick_cell_)), *time_.ticks, row);
  }
  return counted && time_.clocks.any() ? time_.clocks.instant(row, *counted, time_.units_per_second)
                                       : counted;
}

std::optional<std::int64_t> TimeCells::dated_tick(const Cell& cell, const TimeSource& ticks,
                                                  std::uint64_t row) const {
  const auto tick = cell.null() ? std::nullopt : counted_units(cell, ticks);
  const auto instant = tick ? time_.clocks.instant(row, *tick, time_.ticks_per_second) : std::nullopt;
  std::int64_t units = 0;
  const std::int64_t finer = time_.units_per_second / time_.ticks_per_second;
  if (!instant || finer == 0) {
    return instant ? std::optional(*instant / (time_.ticks_per_second / time_.units_per_second))
                   : std::nullopt;
  }
  return __builtin_mul_overflow(*instant, finer, &units) ? std::nullopt : std::optional(units);
}

std::optional<std::int64_t> TimeCells::counted_time(const microparquet::Reader& reader) const {
  std::int64_t sum = 0;
  std::int64_t date[3] = {};
  bool has_date = false;
  std::optional<std::int64_t> since_year;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const TimeSource& source = time_.sources[i];
    const Cell& cell = reader.cell(static_cast<std::uint32_t>(cells_[i]));
    if (cell.null()) {
      return std::nullopt;
    }
    if (source.kind >= TimeSource::Kind::kYear) {
      const auto part = counted_units(cell, source);
      date[static_cast<int>(source.kind) - static_cast<int>(TimeSource::Kind::kYear)] = part.value_or(-1);
      has_date = true;
      continue;
    }
    if (source.kind == TimeSource::Kind::kDayOfYear) {
      since_year = counted_units(cell, source).value_or(-1);
      continue;
    }
    const auto units = units_of(cell, source);
    if (!units || __builtin_add_overflow(sum, *units, &sum)) {
      return std::nullopt;
    }
  }
  if (!has_date) {
    return sum;
  }
  if (since_year) {
    const auto day = day_in_year(date[0], *since_year, kSecondsOfDay * time_.units_per_second);
    return day ? sum_of(1, *day, sum) : std::nullopt;
  }
  const auto days = day_number(date[0], date[1], date[2]);
  return days ? sum_of(*days, kSecondsOfDay * time_.units_per_second, sum) : std::nullopt;
}

std::optional<std::int64_t> integer_in(const Cell& cell, const Column& column) {
  if (cell.null()) {
    return std::nullopt;
  }
  const microparquet::LogicalType& logical = column.element.logical;
  const bool has_sign = logical.kind != LogicalKind::kInteger || logical.is_signed;
  switch (column.element.type) {
    case Type::kInt32: return has_sign ? cell.as<std::int32_t>() : std::int64_t{cell.as<std::uint32_t>()};
    case Type::kInt64: return cell.as<std::int64_t>();
    case Type::kByteArray: return written_integer(cell.text());
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> since_1970(const TimeColumn& time, std::int64_t units) {
  if (time.since_1970()) {
    return units;
  }
  std::int64_t instant = 0;
  return time.start && !__builtin_add_overflow(*time.start, units, &instant) ? std::optional(instant)
                                                                             : std::nullopt;
}

}  // namespace mpq_tool
