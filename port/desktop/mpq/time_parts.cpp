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

bool is_logical(const Column& column, LogicalKind kind) {
  return column.element.max_repetition_level == 0 && column.element.logical.kind == kind;
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
  return is_floating_column(each.column) || each.column.element.type == Type::kInt96
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
    if (logical.kind == LogicalKind::kDate) {
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
            "hour, minute, second, ms, us or ns");
      case TimePart::kYear: source.kind = TimeSource::Kind::kYear; break;
      case TimePart::kMonth: source.kind = TimeSource::Kind::kMonth; break;
      case TimePart::kDay: source.kind = TimeSource::Kind::kDay; break;
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
    if (is_logical(each.column, kind) && (kind != LogicalKind::kTime || !each.name.from_start)) {
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
      if (is_logical(a.column, LogicalKind::kDate) && is_logical(b.column, LogicalKind::kTime) &&
          !b.name.from_start && a.name.about == b.name.about) {
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

  bool has_date() const {
    constexpr double kLastYear = 2'100;
    return within(TimePart::kYear, 0, kLastYear) && within(TimePart::kMonth, 1, 12) &&
           within(TimePart::kDay, 1, 31);
  }

  std::vector<NamedColumn> date() const {
    return {parts_.at(TimePart::kYear), parts_.at(TimePart::kMonth), parts_.at(TimePart::kDay)};
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

// The year, the month and the day, or a date, and what there is of smaller parts.
std::vector<NamedColumn> parts_of_date(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  const Parts parts(columns, probe);
  const NamedColumn* const date = only(columns, LogicalKind::kDate);
  std::vector<NamedColumn> found;
  const std::vector<NamedColumn> smaller = parts.time_of_day();
  if (date != nullptr && !smaller.empty()) {
    found = {*date};
  } else if (parts.has_date()) {
    found = parts.date();
  }
  if (!found.empty()) {
    found.insert(found.end(), smaller.begin(), smaller.end());
  }
  return found;
}

// Whether the values are dates as numbers such as 20240331, or times of day such as 235959.
bool are_dates(const ProbedValues& values) {
  return lies_within(values, 19'700'101, 20'991'231) &&
         std::all_of(values.values.begin(), values.values.end(), [](double value) {
           const auto digits = static_cast<std::int64_t>(value);
           return value == static_cast<double>(digits) && digits / 100 % 100 >= 1 &&
                  digits / 100 % 100 <= 12 && digits % 100 >= 1 && digits % 100 <= 31;
         });
}

bool are_clocks(const ProbedValues& values) {
  return lies_within(values, 0, 240'000) && !lies_within(values, 0, 99) &&
         std::all_of(values.values.begin(), values.values.end(), [](double value) {
           const auto digits = static_cast<std::int64_t>(value);
           return digits / 100 % 100 < 60 && digits % 100 < 60;
         });
}

// A date and a time of day as numbers of their digits.
std::optional<TimeColumn> time_of_digits(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  const auto find = [&](auto fits) {
    return std::find_if(columns.begin(), columns.end(),
                        [&](const NamedColumn& each) { return may_be_part(each.column) && fits(each); });
  };
  const auto date =
      find([&](const NamedColumn& each) { return each.name.is_date && are_dates(probe.of(each.column)); });
  const auto clock = find([&](const NamedColumn& each) {
    return each.name.is_time && !each.unit() && are_clocks(probe.of(each.column));
  });
  if (date == columns.end() || clock == columns.end()) {
    return std::nullopt;
  }
  constexpr double kLastMinute = 2'359;
  const bool has_seconds = !lies_within(probe.of(clock->column), 0, kLastMinute);
  TimeColumn time;
  time.units_per_second = is_floating_column(clock->column) ? kNanosOfSecond : 1;
  time.sources = {
      {date->column, TimeSource::Kind::kDateDigits, time.units_per_second},
      {clock->column, has_seconds ? TimeSource::Kind::kClockDigits : TimeSource::Kind::kClockMinutes,
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

TimeColumn time_from(const std::vector<NamedColumn>& columns, const TimeProbe& probe) {
  if (const auto time = time_of_digits(columns, probe); time && columns.size() == time->sources.size()) {
    return *time;
  }
  TimeColumn time = Joiner(columns).time();
  const auto has_part = [&](TimePart part) {
    return std::any_of(columns.begin(), columns.end(), [&](const NamedColumn& each) {
      return may_be_part(each.column) && each.name.part == part;
    });
  };
  const bool has_calendar =
      has_part(TimePart::kYear) || has_part(TimePart::kMonth) || has_part(TimePart::kDay);
  if (has_calendar &&
      !(has_part(TimePart::kYear) && has_part(TimePart::kMonth) && has_part(TimePart::kDay))) {
    throw WrongRequest("--time-from: a year, a month and a day make a date together; name all three");
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
