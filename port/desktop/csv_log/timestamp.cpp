#include "timestamp.h"

namespace csv_log {

namespace {

constexpr int kSecondsOfDay = 86'400;
constexpr std::int64_t kNanosOfSecond = 1'000'000'000;

constexpr bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

constexpr int days_in_month(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Days from 1970-01-01, in the proleptic Gregorian calendar. Years are counted from March, so that the leap
// day is the last of its year.
constexpr std::int32_t days_since_epoch(int year, int month, int day) {
  constexpr int kDaysOf400Years = 146'097;
  constexpr int kEpoch = 719'468;                                // days from 0000-03-01 to 1970-01-01
  const int shifted_year = month > 2 ? year + 400 : year + 399;  // never negative
  const int shifted_month = month > 2 ? month - 3 : month + 9;
  const int era = shifted_year / 400;
  const int year_of_era = shifted_year % 400;
  const int day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return (era - 1) * kDaysOf400Years + day_of_era - kEpoch;
}
static_assert(days_since_epoch(1970, 1, 1) == 0);
static_assert(days_since_epoch(2000, 3, 1) == 11'017);
static_assert(days_since_epoch(0, 1, 1) == -719'528);

std::optional<std::int32_t> days_of(const DateText& date, DateOrder order) {
  if (date.form.needs_order() && order == DateOrder::kUnknown) {
    return std::nullopt;
  }
  const bool day_first = date.form.needs_order() && order == DateOrder::kDay;
  const int month = day_first ? date.second : date.first;
  const int day = day_first ? date.first : date.second;
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(date.year, month)) {
    return std::nullopt;
  }
  return days_since_epoch(date.year, month, day);
}

// The number in two digits; negative: they are none.
int two_digits(const char* text) {
  const auto tens = static_cast<unsigned>(text[0] - '0');
  const auto ones = static_cast<unsigned>(text[1] - '0');
  return tens <= 9 && ones <= 9 ? static_cast<int>(tens * 10 + ones) : -1000;
}

// YYYY-MM-DD HH:MM:SS[.ffffff][Z], which most loggers write, without a look at all the other forms.
bool read_usual(std::string_view text, Timestamp& timestamp) {
  constexpr std::size_t kSecondsEnd = 19;
  if (text.size() < kSecondsEnd || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') ||
      text[13] != ':' || text[16] != ':') {
    return false;
  }
  const int year = two_digits(&text[0]) * 100 + two_digits(&text[2]);
  const int month = two_digits(&text[5]);
  const int day = two_digits(&text[8]);
  const int hour = two_digits(&text[11]);
  const int minute = two_digits(&text[14]);
  const int second = two_digits(&text[17]);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) || hour < 0 ||
      hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
    return false;
  }
  std::size_t at = kSecondsEnd;
  std::int32_t nanos = 0;
  if (at < text.size() && text[at] == '.') {
    std::int32_t unit = 100'000'000;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9' && unit != 0; ++at, unit /= 10) {
      nanos += (text[at] - '0') * unit;
    }
    if (at == kSecondsEnd + 1) {
      return false;
    }
  }
  timestamp.has_zone = at + 1 == text.size() && text[at] == 'Z';
  timestamp.seconds =
      std::int64_t{days_since_epoch(year, month, day)} * kSecondsOfDay + hour * 3600 + minute * 60 + second;
  timestamp.nanos = nanos;
  return timestamp.has_zone || at == text.size();
}

}  // namespace

std::optional<Timestamp> timestamp_of(const DateText& date, DateOrder order) {
  const auto days = days_of(date, order);
  if (!days || !date.has_time) {
    return std::nullopt;
  }
  Timestamp result;
  result.seconds = std::int64_t{*days} * kSecondsOfDay + date.seconds - date.ahead;
  result.nanos = date.nanos;
  result.has_zone = date.has_zone;
  return result;
}

std::optional<Timestamp> parse_timestamp(std::string_view text, DateOrder order) {
  Timestamp usual;
  if (read_usual(text, usual)) {
    return usual;
  }
  const auto date = read_date_text(text);
  return date ? timestamp_of(*date, order) : std::nullopt;
}

std::optional<std::int32_t> date_of(const DateText& date, DateOrder order) {
  return date.has_time ? std::nullopt : days_of(date, order);
}

std::optional<std::int32_t> parse_date(std::string_view text, DateOrder order) {
  const auto date = read_date_text(text);
  return date ? date_of(*date, order) : std::nullopt;
}

std::optional<std::int64_t> in_units(const Timestamp& timestamp, std::int64_t units_per_second) {
  std::int64_t units = 0;
  const std::int64_t fraction = timestamp.nanos / (kNanosOfSecond / units_per_second);
  if (__builtin_mul_overflow(timestamp.seconds, units_per_second, &units) ||
      __builtin_add_overflow(units, fraction, &units)) {
    return std::nullopt;
  }
  return units;
}

}  // namespace csv_log
