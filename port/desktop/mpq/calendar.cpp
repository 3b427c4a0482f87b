#include "calendar.h"

#include <cinttypes>
#include <cstdio>

namespace mpq_tool {

namespace {

using microparquet::TimeUnit;

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

// The date in the proleptic Gregorian calendar. Years are counted from March, so that the leap day is the
// last of its year.
std::string date_text(std::int64_t days) {
  constexpr std::int64_t kDaysOf400Years = 146'097;
  constexpr std::int64_t kEpoch = 719'468;  // days from 0000-03-01 to 1970-01-01
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
  const auto [days, second_of_day] = divide(seconds, kSecondsOfDay);
  return date_text(days) + "T" + clock_text(second_of_day, rest * (1'000'000'000 / units_per_second(unit)));
}

namespace {

// Takes a text from its beginning on; what does not fit makes it wrong for good.
class CalendarText {
 public:
  explicit CalendarText(std::string_view text) : left_(text) {}

  bool done() const { return right_ && left_.empty(); }
  bool right() const { return right_; }
  bool begins(char c) const { return !left_.empty() && left_.front() == c; }
  bool passes(char c) {
    const bool there = begins(c);
    left_.remove_prefix(there ? 1 : 0);
    return there;
  }
  void expect(bool condition) { right_ = right_ && condition; }

  // `least` to `most` digits.
  std::int64_t number(unsigned least, unsigned most) {
    std::int64_t value = 0;
    unsigned digits = 0;
    for (; digits < most && is_digit(); ++digits) {
      value = value * 10 + (left_.front() - '0');
      left_.remove_prefix(1);
    }
    expect(digits >= least);
    return value;
  }
  bool is_digit() const { return !left_.empty() && left_.front() >= '0' && left_.front() <= '9'; }

  // A number of two digits below `end`.
  std::int64_t two_digits(std::int64_t end) {
    const std::int64_t value = number(2, 2);
    expect(value < end);
    return value;
  }

 private:
  std::string_view left_;
  bool right_ = true;
};

constexpr std::int64_t kEraDays = 146'097;

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (month == 2) {
    return leap ? 29 : 28;
  }
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Years are counted from March, so that the leap day is the last of its year.
std::int64_t days_since_1970(std::int64_t year, std::int64_t month, std::int64_t day) {
  constexpr std::int64_t kEpochDays = 719'468;  // days from 0000-03-01 to 1970-01-01
  const std::int64_t shifted_year = month <= 2 ? year - 1 : year;
  const std::int64_t era = (shifted_year >= 0 ? shifted_year : shifted_year - 399) / 400;
  const std::int64_t year_of_era = shifted_year - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * kEraDays + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - kEpochDays;
}

bool is_date(std::int64_t year, std::int64_t month, std::int64_t day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= days_of_month(year, month);
}

std::int64_t take_date(CalendarText& text) {
  const bool negative = text.passes('-');
  const bool has_sign = negative || text.passes('+');
  std::int64_t year = text.number(4, has_sign ? 7 : 4);
  year = negative ? -year : year;
  text.expect(text.passes('-'));
  const std::int64_t month = text.two_digits(13);
  text.expect(text.passes('-'));
  const std::int64_t day = text.two_digits(32);
  text.expect(is_date(year, month, day));
  return days_since_1970(year, month, day);
}

// Nanoseconds; a tenth of one and less shows in `exact`.
struct TimeOfDay {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  bool exact = true;
};

TimeOfDay take_time_of_day(CalendarText& text) {
  TimeOfDay clock;
  clock.seconds = text.two_digits(25) * 3600;
  text.expect(text.passes(':'));
  clock.seconds += text.two_digits(60) * 60;
  if (!text.passes(':')) {
    text.expect(clock.seconds <= kSecondsOfDay);
    return clock;
  }
  clock.seconds += text.two_digits(60);
  if (text.passes('.')) {
    text.expect(text.is_digit());
    for (std::int64_t unit = 100'000'000; text.is_digit(); unit /= 10) {
      const std::int64_t digit = text.number(1, 1);
      clock.nanos += digit * unit;
      clock.exact = clock.exact && (unit != 0 || digit == 0);
    }
  }
  text.expect(clock.seconds < kSecondsOfDay ||
              (clock.seconds == kSecondsOfDay && clock.nanos == 0 && clock.exact));
  return clock;
}

// Rounded towards the past.
std::optional<CalendarValue> in_units(std::int64_t seconds, const TimeOfDay& clock, TimeUnit unit) {
  CalendarValue value;
  const std::int64_t unit_nanos = 1'000'000'000 / units_per_second(unit);
  value.exact = clock.exact && clock.nanos % unit_nanos == 0;
  if (__builtin_mul_overflow(seconds, units_per_second(unit), &value.units) ||
      __builtin_add_overflow(value.units, clock.nanos / unit_nanos, &value.units)) {
    return std::nullopt;
  }
  return value;
}

// Seconds that a zone is ahead of UTC.
std::int64_t take_zone(CalendarText& text, bool& has_zone) {
  has_zone = true;
  if (text.passes('Z') || text.passes('z')) {
    return 0;
  }
  const bool west = text.begins('-');
  if (!text.passes('+') && !text.passes('-')) {
    has_zone = false;
    return 0;
  }
  std::int64_t seconds = text.two_digits(24) * 3600;
  if (text.passes(':') || text.is_digit()) {
    seconds += text.two_digits(60) * 60;
  }
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> date_value(std::int64_t year, std::int64_t month, std::int64_t day) {
  return is_date(year, month, day) ? std::optional(days_since_1970(year, month, day)) : std::nullopt;
}

std::optional<std::int64_t> date_value(std::string_view text) {
  CalendarText rest(text);
  const std::int64_t days = take_date(rest);
  return rest.done() ? std::optional(days) : std::nullopt;
}

std::optional<CalendarValue> time_value(std::string_view text, TimeUnit unit) {
  CalendarText rest(text);
  const TimeOfDay clock = take_time_of_day(rest);
  return rest.done() ? in_units(clock.seconds, clock, unit) : std::nullopt;
}

std::optional<CalendarValue> timestamp_value(std::string_view text, TimeUnit unit) {
  CalendarText rest(text);
  const std::int64_t days = take_date(rest);
  TimeOfDay clock;
  bool has_zone = false;
  std::int64_t ahead = 0;
  if (rest.passes('T') || rest.passes('t') || rest.passes(' ')) {
    clock = take_time_of_day(rest);
    ahead = take_zone(rest, has_zone);
  }
  if (!rest.done()) {
    return std::nullopt;
  }
  std::optional<CalendarValue> value = in_units(days * kSecondsOfDay + clock.seconds - ahead, clock, unit);
  if (value) {
    value->has_zone = has_zone;
  }
  return value;
}

}  // namespace mpq_tool
