#include "timestamp.h"

namespace csv_log {

namespace {

constexpr int kSecondsPerDay = 86'400;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

struct Digits {
  int number = 0;
  int count = 0;
};

// Takes text from the left, piece by piece.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool next_is_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }

  bool take(char c) {
    const bool is = next_is(c);
    rest_.remove_prefix(is ? 1 : 0);
    return is;
  }

  bool take_word(std::string_view word) {
    const bool is = rest_.substr(0, word.size()) == word;
    rest_.remove_prefix(is ? word.size() : 0);
    return is;
  }

  // Takes exactly `digits` decimal digits.
  std::optional<int> take_number(int digits) {
    int number = 0;
    for (int i = 0; i < digits; ++i) {
      if (!next_is_digit()) {
        return std::nullopt;
      }
      number = number * 10 + take_digit();
    }
    return number;
  }

  // Takes all decimal digits that follow, up to `most`.
  Digits take_digits(int most) {
    Digits digits;
    for (; digits.count < most && next_is_digit(); ++digits.count) {
      digits.number = digits.number * 10 + take_digit();
    }
    return digits;
  }

  // One of `characters`; 0: another comes next.
  char take_any(std::string_view characters) {
    const char c = rest_.empty() || characters.find(rest_.front()) == characters.npos ? '\0' : rest_.front();
    rest_.remove_prefix(c != '\0' ? 1 : 0);
    return c;
  }

  // Requires: next_is_digit().
  int take_digit() {
    const int digit = rest_.front() - '0';
    rest_.remove_prefix(1);
    return digit;
  }

 private:
  std::string_view rest_;
};

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

struct Date {
  std::int32_t days = 0;  // days since 1970-01-01
  bool is_iso = false;    // YYYY-MM-DD
};

std::optional<Date> date_of(int year, int month, int day, bool is_iso) {
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) {
    return std::nullopt;
  }
  return Date{days_since_epoch(year, month, day), is_iso};
}

std::optional<Date> take_date(Scanner& scanner, DateOrder order) {
  constexpr int kYearDigits = 4;
  const Digits first = scanner.take_digits(kYearDigits);
  const char separator = scanner.take_any("-/.");
  const Digits second = scanner.take_digits(2);
  if (separator == '\0' || second.count == 0 || !scanner.take(separator)) {
    return std::nullopt;
  }
  if (first.count == kYearDigits) {
    const Digits third = scanner.take_digits(2);
    const bool whole = separator == '-' ? second.count == 2 && third.count == 2 : third.count != 0;
    return whole ? date_of(first.number, second.number, third.number, separator == '-') : std::nullopt;
  }
  const auto year = scanner.take_number(kYearDigits);
  if (!year || first.count == 0 || first.count > 2 || order == DateOrder::kUnknown) {
    return std::nullopt;
  }
  const bool day_first = order == DateOrder::kDay;
  return date_of(*year, (day_first ? second : first).number, (day_first ? first : second).number, false);
}

// A point or comma and up to nine digits, as nanoseconds; 0 without a point.
std::optional<std::int32_t> take_fraction(Scanner& scanner) {
  std::int32_t nanos = 0;
  if (scanner.take_any(".,") == '\0') {
    return nanos;
  }
  if (!scanner.next_is_digit()) {
    return std::nullopt;
  }
  for (std::int32_t unit = 100'000'000; scanner.next_is_digit(); unit /= 10) {
    if (unit == 0) {
      return std::nullopt;
    }
    nanos += scanner.take_digit() * unit;
  }
  return nanos;
}

struct TimeOfDay {
  std::int32_t seconds = 0;
  std::int32_t nanos = 0;
};

enum class HalfDay : std::uint8_t { kNone, kBeforeNoon, kAfterNoon };

// AM or PM, also after a space, for which browsers write a narrow one that does not break.
HalfDay take_half_day(Scanner& scanner) {
  constexpr std::string_view kNarrowSpace = "\xE2\x80\xAF";
  Scanner ahead = scanner;
  if (!ahead.take(' ')) {
    ahead.take_word(kNarrowSpace);
  }
  const bool before = ahead.take_word("AM") || ahead.take_word("am");
  const bool after = !before && (ahead.take_word("PM") || ahead.take_word("pm"));
  scanner = before || after ? ahead : scanner;
  return before ? HalfDay::kBeforeNoon : after ? HalfDay::kAfterNoon : HalfDay::kNone;
}

// The hour, from 0 to 23.
std::optional<int> hour_of_day(const Digits& hour, HalfDay half, bool short_hour) {
  if (half == HalfDay::kNone) {
    const bool valid = hour.number <= 23 && (hour.count == 2 || (short_hour && hour.count == 1));
    return valid ? std::optional(hour.number) : std::nullopt;
  }
  if (hour.number < 1 || hour.number > 12) {
    return std::nullopt;
  }
  return hour.number % 12 + (half == HalfDay::kAfterNoon ? 12 : 0);
}

// `max_second`: 60 where a leap second may stand. `short_hour`: it may have one digit.
std::optional<TimeOfDay> take_time(Scanner& scanner, int max_second, bool short_hour) {
  const Digits written_hour = scanner.take_digits(2);
  if (written_hour.count == 0 || !scanner.take(':')) {
    return std::nullopt;
  }
  const auto minute = scanner.take_number(2);
  if (!minute || *minute > 59) {
    return std::nullopt;
  }
  const bool has_second = scanner.take(':');
  const auto second = has_second ? scanner.take_number(2) : 0;
  if (!second || *second > max_second) {
    return std::nullopt;
  }
  const auto nanos = has_second ? take_fraction(scanner) : 0;
  const auto hour = hour_of_day(written_hour, take_half_day(scanner), short_hour);
  if (!nanos || !hour) {
    return std::nullopt;
  }
  return TimeOfDay{*hour * 3600 + *minute * 60 + *second, *nanos};
}

// Z, UTC, +hh:mm, +hhmm or +hh, also with - and after a space: seconds ahead of UTC.
std::optional<std::int32_t> take_zone(Scanner& scanner) {
  scanner.take(' ');
  if (scanner.take('Z') || scanner.take('z') || scanner.take_word("UTC") || scanner.take_word("GMT")) {
    return 0;
  }
  const bool behind = scanner.next_is('-');
  if (!scanner.take('+') && !scanner.take('-')) {
    return std::nullopt;
  }
  const auto hours = scanner.take_number(2);
  if (!hours || *hours > 23) {
    return std::nullopt;
  }
  const bool has_minutes = scanner.take(':') || scanner.next_is_digit();
  const auto minutes = has_minutes ? scanner.take_number(2) : 0;
  if (!minutes || *minutes > 59) {
    return std::nullopt;
  }
  const std::int32_t ahead = *hours * 3600 + *minutes * 60;
  return behind ? -ahead : ahead;
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text, DateOrder order) {
  Scanner scanner(text);
  const auto date = take_date(scanner, order);
  if (!date) {
    return std::nullopt;
  }
  scanner.take(',');
  if (scanner.take_any(" Tt") == '\0') {
    return std::nullopt;
  }
  const auto time = take_time(scanner, 60, !date->is_iso);
  if (!time) {
    return std::nullopt;
  }
  Timestamp result;
  result.seconds = std::int64_t{date->days} * kSecondsPerDay + time->seconds;
  result.nanos = time->nanos;
  if (scanner.at_end()) {
    return result;
  }
  const auto zone = take_zone(scanner);
  if (!zone || !scanner.at_end()) {
    return std::nullopt;
  }
  result.seconds -= *zone;
  result.has_zone = true;
  return result;
}

std::optional<std::int32_t> parse_date(std::string_view text, DateOrder order) {
  Scanner scanner(text);
  const auto date = take_date(scanner, order);
  return date && scanner.at_end() ? std::optional(date->days) : std::nullopt;
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  Scanner scanner(text);
  const auto time = take_time(scanner, 59, false);
  if (!time || !scanner.at_end()) {
    return std::nullopt;
  }
  return time->seconds * kNanosPerSecond + time->nanos;
}

std::optional<std::int64_t> in_units(const Timestamp& timestamp, std::int64_t units_per_second) {
  std::int64_t units = 0;
  const std::int64_t fraction = timestamp.nanos / (kNanosPerSecond / units_per_second);
  if (__builtin_mul_overflow(timestamp.seconds, units_per_second, &units) ||
      __builtin_add_overflow(units, fraction, &units)) {
    return std::nullopt;
  }
  return units;
}

}  // namespace csv_log
