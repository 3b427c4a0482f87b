#include "time_parts.h"

#include <algorithm>
#include <map>

#include "calendar.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

using microparquet::LogicalKind;
using microparquet::Type;
using microparquet::text::TimePart;

// Whether it has such times, by its type or as texts.
bool is_of(const NamedColumn& each, LogicalKind kind) {
  const bool is_text = (kind == LogicalKind::kDate && each.form == TimeForm::kDate) ||
                       (kind == LogicalKind::kTime && each.form == TimeForm::kTimeOfDay);
  return is_text ||
         (each.column.element.max_repetition_level == 0 && each.column.element.logical.kind == kind);
}

// How many of it are a second, of parts below one.
std::int64_t per_second_of(TimePart part) {
  switch (part) {
    case TimePart::kMillis: return 1'000;
    case TimePart::kMicros: return 1'000'000;
    case TimePart::kNanos: return kNanosOfSecond;
    default: return 1;
  }
}

std::int64_t seconds_of(TimePart part) {
  return part == TimePart::kHour ? 3'600 : part == TimePart::kMinute ? 60 : 1;
}

// Units a second that a column needs, for none of its values to lose anything.
std::int64_t needed_units(const NamedColumn& each) {
  const microparquet::LogicalType& logical = each.column.element.logical;
  if (logical.kind == LogicalKind::kTime || logical.kind == LogicalKind::kTimestamp) {
    return units_per_second(logical.unit);
  }
  constexpr std::int64_t kMicrosOfSecond = 1'000'000;  // a day's fraction in floating point has no more
  if (each.name.part == TimePart::kDayOfYear && is_floating_column(each.column)) {
    return kMicrosOfSecond;
  }
  return is_floating_column(each.column) || each.column.element.type == Type::kInt96 ||
                 each.form != TimeForm::kNone
             ? kNanosOfSecond
             : per_second_of(each.name.part);
}

// Parts are numbers, or text for the zeros that they begin with.
bool may_be_part(const Column& column) { return is_number_column(column) || is_text_column(column); }

class Joiner {
 public:
  explicit Joiner(const std::vector<NamedColumn>& columns) {
    for (const NamedColumn& each : columns) {
      time_.units_per_second = std::max(time_.units_per_second, needed_units(each));
    }
    for (const NamedColumn& each : columns) {
      add(each);
    }
  }

  TimeColumn time() {
    time_.kind = has_date_          ? TimeColumn::Kind::kSince1970
                 : has_time_of_day_ ? TimeColumn::Kind::kTimeOfDay
                                    : TimeColumn::Kind::kFromStart;
    time_.assumed = time_.name() + " are taken together";
    return time_;
  }

 private:
  void add(const NamedColumn& each) {
    const microparquet::LogicalType& logical = each.column.element.logical;
    const std::int64_t per_second = time_.units_per_second;
    TimeSource source{each.column, TimeSource::Kind::kCount, 1};
    if (each.form != TimeForm::kNone) {
      source.kind = TimeSource::Kind::kText;
      source.form = each.form;
      has_date_ = has_date_ || each.form != TimeForm::kTimeOfDay;
      has_time_of_day_ = has_time_of_day_ || each.form == TimeForm::kTimeOfDay;
      time_.utc = time_.utc || each.form == TimeForm::kZoned;
    } else if (logical.kind == LogicalKind::kDate) {
      source.factor = kSecondsOfDay * per_second;
      has_date_ = true;
    } else if (logical.kind == LogicalKind::kTime || logical.kind == LogicalKind::kTimestamp) {
      source.factor = per_second / units_per_second(logical.unit);
      has_date_ = has_date_ || logical.kind == LogicalKind::kTimestamp;
      has_time_of_day_ = has_time_of_day_ || logical.kind == LogicalKind::kTime;
      time_.utc = time_.utc || (logical.kind == LogicalKind::kTimestamp && logical.utc);
    } else if (each.column.element.type == Type::kInt96) {
      source.kind = TimeSource::Kind::kInt96;
      has_date_ = true;
    } else {
      add_number(each, source);
    }
    time_.sources.push_back(source);
  }

  void add_number(const NamedColumn& each, TimeSource& source) {
    switch (may_be_part(each.column) ? each.name.part : TimePart::kNone) {
      case TimePart::kNone:
        throw WrongRequest(
            "--time-from: nothing says what column " + each.column.name +
            " has of a time; it may be a date, a time of day, or a number called year, month, day, "
            "doy, hhmm, hour, minute, second, ms, us or ns");
      case TimePart::kYear: source.kind = TimeSource::Kind::kYear; break;
      case TimePart::kMonth: source.kind = TimeSource::Kind::kMonth; break;
      case TimePart::kDay: source.kind = TimeSource::Kind::kDay; break;
      case TimePart::kDayOfYear:
        source.kind = TimeSource::Kind::kDayOfYear;
        source.factor = kSecondsOfDay * time_.units_per_second;
        break;
      case TimePart::kClockMinutes:
      case TimePart::kClockSeconds:
        source.kind = each.name.part == TimePart::kClockMinutes ? TimeSource::Kind::kClockMinutes
                                                                : TimeSource::Kind::kClockDigits;
        source.factor = time_.units_per_second;
        has_time_of_day_ = true;
        return;
      default:
        source.factor = time_.units_per_second * seconds_of(each.name.part) / per_second_of(each.name.part);
        has_time_of_day_ = has_time_of_day_ || each.name.part == TimePart::kHour;
        return;
    }
    has_date_ = true;
  }

  TimeColumn time_;
  bool has_date_ = false;
  bool has_time_of_day_ = false;
};

const NamedColumn* only(const std::vector<NamedColumn>& columns, LogicalKind kind) {
  const NamedColumn* found = nullptr;
  for (const NamedColumn& each : columns) {
    if (is_of(each, kind) && (kind != LogicalKind::kTime || !each.name.from_start)) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &each;
    }
  }
  return found;
}

// A date and a time of day: the only ones, or the first whose names differ in just these words.
std::vector<NamedColumn> date_and_time(const std::vector<NamedColumn>& columns) {
  const NamedColumn* const date = only(columns, LogicalKind::kDate);
  const NamedColumn* const time = only(columns, LogicalKind::kTime);
  if (date != nullptr && time != nullptr) {
    return {*date, *time};
  }
  for (const NamedColumn& a : columns) {
    for (const NamedColumn& b : columns) {
      if (is_of(a, LogicalKind::kDate) && is_of(b, LogicalKind::kTime) && !b.name.from_start &&
          a.name.about == b.name.about) {
        return {a, b};
      }
    }
  }
  return {};
}

bool lies_within(const ProbedValues& values, double least, double most) {
  return !values.values.empty() && values.others == 0 &&
         std::all_of(values.values.begin(), values.values.end(),
                     [&](double value) { return value >= least && value <= most; });
}

bool are_whole_and(const ProbedValues& values, bool (*fits)(std::int64_t)) {
  return std::all_of(values.values.begin(), values.values.end(), [fits](double value) {
    const auto digits = static_cast<std::int64_t>(value);
    return value == static_cast<double>(digits) && fits(digits);
  });
}

// Whether the values are dates as numbers such as 20240331.
bool are_dates(const ProbedValues& values) {
  return lies_within(values, 19'700'101, 20'991'231) && are_whole_and(values, [](std::int64_t digits) {
           return digits / 100 % 100 >= 1 && digits / 100 % 100 <= 12 && digits % 100 >= 1 &&
                  digits % 100 <= 31;
         });
}

// Years and their days, such as 2024091.
bool are_year_days(const ProbedValues& values) {
  return lies_within(values, 1'970'001, 2'099'366) && are_whole_and(values, [](std::int64_t digits) {
           return digits % 1'000 >= 1 && digits % 1'000 <= 366;
         });
}

// Whether the values are times of day as numbers such as 235959, or up to `most`.
bool are_clocks(const ProbedValues& values, double most) {
  return lies_within(values, 0, most) &&
         std::all_of(values.values.begin(), values.values.end(), [](double value) {
           const auto digits = static_cast<std::int64_t>(value);
           return digits / 100 % 100 < 60 && digits % 100 < 60;
         });
}

// Whether a column has times of day as digits: by its name, or by the name of a time and its values.
TimePart clock_part(const NamedColumn& each, const TimeProbe& probe) {
  constexpr double kMinutesEnd = 2'400;
  constexpr double kSecondsEnd = 240'000;
  if (!may_be_part(each.column) || each.unit()) {
    return TimePart::kNone;
  }
  const ProbedValues& values = probe.of(each.column);
  if (each.name.part == TimePart::kClockMinutes && each.name.is_plain &&
      lies_within(values, 0, kMinutesEnd) &&
      are_whole_and(values, [](std::int64_t digits) { return digits % 100 < 60; })) {
    return TimePart::kClockMinutes;
  }
  const bool is_named = each.name.part == TimePart::kClockSeconds && each.name.is_plain;
  if ((!is_named && (!each.name.is_time || lies_within(values, 0, 99))) || !are_clocks(values, kSecondsEnd)) {
    return TimePart::kNone;
  }
  return !is_named && lies_within(values, 0, kMinutesEnd) ? TimePart::kClockMinutes : TimePart::kClockSeconds;
}

// The first such column, whose part its name then says.
std::vector<NamedColumn> clock_column(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  for (NamedColumn each : columns) {
    if (const TimePart part = clock_part(each, probe); part != TimePart::kNone) {
      each.name.part = part;
      return {each};
    }
  }
  return {};
}

NamedColumn as_day_of_year(NamedColumn day) {
  day.name.part = TimePart::kDayOfYear;
  return day;
}

// Parts of times by what they are, the first of each.
class Parts {
 public:
  Parts(const std::vector<NamedColumn>& columns, const TimeProbe& probe) : probe_(probe) {
    for (const NamedColumn& each : columns) {
      if (may_be_part(each.column) && each.name.part != TimePart::kNone && each.name.is_plain) {
        parts_.emplace(each.name.part, each);
      }
    }
  }

  // The year and what says its day; none: these are not there.
  std::vector<NamedColumn> date() const {
    constexpr double kLastYear = 2'100;
    constexpr double kYearEnd = 367;
    if (!within(TimePart::kYear, 0, kLastYear)) {
      return {};
    }
    const NamedColumn& year = parts_.at(TimePart::kYear);
    if (within(TimePart::kMonth, 1, 12) && within(TimePart::kDay, 1, 31)) {
      return {year, parts_.at(TimePart::kMonth), parts_.at(TimePart::kDay)};
    }
    if (within(TimePart::kDayOfYear, 1, kYearEnd)) {
      return {year, parts_.at(TimePart::kDayOfYear)};
    }
    // Days without a month are those of the year where one is beyond 31.
    if (parts_.count(TimePart::kMonth) == 0 && within(TimePart::kDay, 1, kYearEnd) &&
        !within(TimePart::kDay, 1, 32)) {
      return {year, as_day_of_year(parts_.at(TimePart::kDay))};
    }
    return {};
  }

  // Seconds of the day, without an hour or a minute.
  std::vector<NamedColumn> second_of_day() const {
    constexpr double kSecondsEnd = 86'400;
    const bool is_alone = parts_.count(TimePart::kHour) + parts_.count(TimePart::kMinute) == 0;
    return is_alone && within(TimePart::kSecond, 0, kSecondsEnd) && !within(TimePart::kSecond, 0, 60)
               ? std::vector<NamedColumn>{parts_.at(TimePart::kSecond)}
               : std::vector<NamedColumn>{};
  }

  // The hour and what follows it without a gap, the largest first.
  std::vector<NamedColumn> time_of_day() const {
    std::vector<NamedColumn> found;
    for (const auto& [part, each] : parts_) {
      if (part < TimePart::kHour) {
        continue;
      }
      const bool follows = found.empty() ? part == TimePart::kHour : follows_on(found.back().name.part, part);
      const double most = part == TimePart::kHour ? 24 : static_cast<double>(60 * per_second_of(part));
      if (follows && within(part, 0, most)) {
        found.push_back(each);
      }
    }
    return found;
  }

 private:
  static bool follows_on(TimePart before, TimePart part) {
    return before == TimePart::kSecond ? part > before
                                       : static_cast<int>(before) + 1 == static_cast<int>(part);
  }

  bool within(TimePart part, double least, double most) const {
    const auto found = parts_.find(part);
    return found != parts_.end() && lies_within(probe_.of(found->second.column), least, most);
  }

  const TimeProbe& probe_;
  std::map<TimePart, NamedColumn> parts_;
};

// A date by its parts or its type, and the time of day beside it: its parts, its digits, or the seconds of the day.
std::vector<NamedColumn> parts_of_date(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  const Parts parts(columns, probe);
  const NamedColumn* const date = only(columns, LogicalKind::kDate);
  std::vector<NamedColumn> smaller = parts.time_of_day();
  smaller = smaller.empty() ? clock_column(columns, probe) : smaller;
  smaller = smaller.empty() ? parts.second_of_day() : smaller;
  std::vector<NamedColumn> found = date != nullptr && !smaller.empty() ? std::vector{*date} : parts.date();
  if (!found.empty()) {
    found.insert(found.end(), smaller.begin(), smaller.end());
  }
  return found;
}

// A date and a time of day as numbers of their digits.
std::optional<TimeColumn> time_of_digits(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  const std::vector<NamedColumn> clock = clock_column(columns, probe);
  const auto date = std::find_if(columns.begin(), columns.end(), [&](const NamedColumn& each) {
    return may_be_part(each.column) && each.name.is_date &&
           (are_dates(probe.of(each.column)) || are_year_days(probe.of(each.column)));
  });
  if (date == columns.end() || clock.empty() || clock.front().column.number == date->column.number) {
    return std::nullopt;
  }
  const NamedColumn& of_day = clock.front();
  TimeColumn time;
  time.units_per_second = is_floating_column(of_day.column) ? kNanosOfSecond : 1;
  time.sources = {
      {date->column,
       are_dates(probe.of(date->column)) ? TimeSource::Kind::kDateDigits : TimeSource::Kind::kYearDayDigits,
       time.units_per_second},
      {of_day.column,
       of_day.name.part == TimePart::kClockSeconds ? TimeSource::Kind::kClockDigits
                                                   : TimeSource::Kind::kClockMinutes,
       time.units_per_second}};
  time.kind = TimeColumn::Kind::kSince1970;
  time.assumed = time.name() + " are taken together, as digits of a date and a time of day";
  return time;
}

// Seconds and what is left of one, beside each other.
std::vector<NamedColumn> seconds_and_fraction(const std::vector<NamedColumn>& columns,
                                              const TimeProbe& probe) {
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    const NamedColumn& seconds = columns[i];
    const NamedColumn& fraction = columns[i + 1];
    const bool are_named = seconds.name.part == TimePart::kSecond && fraction.name.part > TimePart::kSecond &&
                           seconds.name.is_plain && fraction.name.is_plain &&
                           seconds.name.about == fraction.name.about &&
                           seconds.column.number + 1 == fraction.column.number;
    if (are_named && is_integer_column(seconds.column) && is_integer_column(fraction.column) &&
        lies_within(probe.of(fraction.column), 0,
                    static_cast<double>(per_second_of(fraction.name.part) - 1))) {
      return {seconds, fraction};
    }
  }
  return {};
}

}  // namespace

bool is_integer_column(const Column& column) {
  const LogicalKind kind = column.element.logical.kind;
  return column.element.max_repetition_level == 0 &&
         (column.element.type == Type::kInt32 || column.element.type == Type::kInt64) &&
         (kind == LogicalKind::kNone || kind == LogicalKind::kInteger);
}

bool is_floating_column(const Column& column) {
  return column.element.max_repetition_level == 0 &&
         (column.element.type == Type::kFloat || column.element.type == Type::kDouble);
}

bool is_text_column(const Column& column) {
  return column.element.max_repetition_level == 0 && column.element.logical.kind == LogicalKind::kString;
}

bool is_near_now(double seconds_since_1970) {
  constexpr double kYear2000 = 946'684'800;
  constexpr double kYear2100 = 4'102'444'800;
  return seconds_since_1970 >= kYear2000 && seconds_since_1970 < kYear2100;
}

std::optional<TimeColumn> time_of_parts(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  std::vector<NamedColumn> found = date_and_time(columns);
  if (found.empty()) {
    found = parts_of_date(columns, probe);
  }
  if (found.empty()) {
    found = seconds_and_fraction(columns, probe);
  }
  return found.empty() ? time_of_digits(columns, probe) : std::optional(time_from(found, probe));
}

namespace {

// `columns` with what their values say of their parts: digits of a time of day, and days of the year where there is no month.
std::vector<NamedColumn> parts_asked_for(std::vector<NamedColumn> columns, const TimeProbe& probe) {
  const bool has_month = std::any_of(columns.begin(), columns.end(), [](const NamedColumn& each) {
    return each.name.part == TimePart::kMonth;
  });
  for (NamedColumn& each : columns) {
    const bool is_number = may_be_part(each.column);
    if (is_number && each.name.part == TimePart::kDay && !has_month && columns.size() > 1) {
      each = as_day_of_year(each);
    } else if (is_number && each.name.part == TimePart::kNone) {
      each.name.part = clock_part(each, probe);
    }
  }
  return columns;
}

}  // namespace

TimeColumn time_from(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  if (const auto time = time_of_digits(columns, probe); time && columns.size() == time->sources.size()) {
    return *time;
  }
  const std::vector<NamedColumn> parts = parts_asked_for(columns, probe);
  TimeColumn time = Joiner(parts).time();
  const auto has_part = [&](TimePart part) {
    return std::any_of(parts.begin(), parts.end(), [&](const NamedColumn& each) {
      return may_be_part(each.column) && each.name.part == part;
    });
  };
  const bool has_year = has_part(TimePart::kYear);
  const bool has_month = has_part(TimePart::kMonth);
  const bool has_day = has_part(TimePart::kDay);
  const bool has_day_of_year = has_part(TimePart::kDayOfYear);
  const bool has_calendar = has_year || has_month || has_day || has_day_of_year;
  if (has_calendar && !(has_year && (has_day_of_year ? !has_month && !has_day : has_month && has_day))) {
    throw WrongRequest(
        "--time-from: a year, a month and a day make a date together; name all three, or a year and its day "
        "(doy)");
  }
  const NamedColumn& first = columns.front();
  if (time.kind == TimeColumn::Kind::kFromStart && first.name.part == TimePart::kSecond &&
      is_near_now(probe.of(first.column).median())) {
    time.kind = TimeColumn::Kind::kSince1970;
    time.utc = true;
  }
  return time;
}

}  // namespace mpq_tool
