#include "date_text.h"

#include "date_words.h"
#include "scanner.h"

namespace csv_log {

namespace {

constexpr int kYearDigits = 4;
constexpr std::int32_t kSecondsPerDay = 86'400;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

// Two digits are a year from 1969 to 2068, as in POSIX.
bool take_year(Scanner& scanner, DateText& date) {
  const Digits year = scanner.take_digits(kYearDigits);
  date.form.short_year = year.count == 2;
  date.year = year.count == 2 ? year.number + (year.number < 69 ? 2000 : 1900) : year.number;
  return (year.count == 2 || year.count == kYearDigits) && !scanner.next_is_digit();
}

bool take_month_word(Scanner& scanner, int& month) {
  const auto found = month_of(scanner.take_letters());
  month = found.value_or(0);
  return found.has_value();
}

// Day 60 of 2024 is the 29th of February.
void set_ordinal(DateText& date, int day) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
  int month = 1;
  for (; month < 12 && day > kDays[month - 1] + (month == 2 && leap ? 1 : 0); ++month) {
    day -= kDays[month - 1] + (month == 2 && leap ? 1 : 0);
  }
  date.first = month;
  date.second = day;
}

// YYYY-MM-DD, YYYY/M/D, YYYY.M.D, YYYY-Mar-DD, YYYY-DDD, YYYY:DDD.
bool take_year_first(Scanner& scanner, DateText& date) {
  constexpr std::size_t kOrdinalDigits = 3;
  date.year = scanner.take_number(kYearDigits).value_or(0);
  date.form.year_first = true;
  date.form.separator = scanner.take_any("-/.: ");
  if (date.form.separator == '\0') {
    return false;
  }
  if (scanner.digits_ahead() == kOrdinalDigits) {
    const int day = scanner.take_digits(kOrdinalDigits).number;
    set_ordinal(date, day);
    return date.form.separator != ' ' && !scanner.at_end() && day >= 1;  // alone it is any number
  }
  date.form.month_by_name = scanner.next_is_letter();
  if (date.form.month_by_name) {
    if (!take_month_word(scanner, date.first)) {
      return false;
    }
  } else {
    date.first = scanner.take_digits(2).number;
  }
  if (!scanner.take(date.form.separator) || (date.form.separator == ' ' && !date.form.month_by_name)) {
    return false;
  }
  const Digits day = scanner.take_digits(2);
  date.second = day.number;
  return day.count != 0;
}

// YYYYMMDD before a time: alone it is a number.
bool take_without_separators(Scanner& scanner, DateText& date) {
  date.form.year_first = true;
  date.year = scanner.take_number(kYearDigits).value_or(0);
  date.first = scanner.take_number(2).value_or(0);
  date.second = scanner.take_number(2).value_or(0);
  return !scanner.at_end();
}

// 28-Mar-2024, 28 Mar 24, 28. März 2024, 28Mar2024; the day has been taken.
bool take_month_and_year(Scanner& scanner, DateText& date, int day) {
  date.form.month_by_name = true;
  date.second = day;
  if (!take_month_word(scanner, date.first)) {
    return false;
  }
  scanner.take('.');
  scanner.take(',');
  scanner.take_any("-/. ");
  return take_year(scanner, date);
}

// DD/MM/YYYY, MM/DD/YY, DD.MM.YYYY, and those with a month by name.
bool take_year_last(Scanner& scanner, DateText& date) {
  const Digits first = scanner.take_digits(2);
  date.first = first.number;
  if (scanner.next_is_letter()) {
    return take_month_and_year(scanner, date, date.first);
  }
  const char separator = scanner.take_any("-/. ");
  if (separator == '.') {
    scanner.take(' ');
  }
  if (separator != '\0' && scanner.next_is_letter()) {
    return take_month_and_year(scanner, date, date.first);
  }
  date.form.separator = separator;
  const Digits second = scanner.take_digits(2);
  date.second = second.number;
  if (separator == '\0' || separator == ' ' || second.count == 0 || !scanner.take(separator) ||
      !take_year(scanner, date)) {
    return false;
  }
  const bool may_be_version = date.form.short_year && separator != '/' && scanner.at_end();
  return !may_be_version || (first.count == 2 && second.count == 2);  // 2.10.15 is no day
}

bool take_date(Scanner& scanner, DateText& date) {
  constexpr std::size_t kBasicDigits = 8;
  const std::size_t digits = scanner.digits_ahead();
  if (digits == kBasicDigits) {
    return take_without_separators(scanner, date);
  }
  return digits == kYearDigits ? take_year_first(scanner, date)
                               : digits >= 1 && digits <= 2 && take_year_last(scanner, date);
}

// What comes after a point, a comma, or a colon: up to nine digits, as nanoseconds.
bool take_fraction(Scanner& scanner, std::int32_t& nanos) {
  Scanner ahead = scanner;
  if (ahead.take(':')) {  // milliseconds, as some write them
    if (ahead.digits_ahead() != 3) {
      return true;
    }
  } else if (ahead.take_any(".,") == '\0') {
    return true;
  }
  if (ahead.next_is(' ')) {  // a comma before what follows
    return true;
  }
  if (!ahead.next_is_digit()) {
    return false;
  }
  nanos = 0;
  for (std::int32_t unit = 100'000'000; ahead.next_is_digit(); unit /= 10) {
    if (unit == 0) {
      return false;
    }
    nanos += ahead.take_digit() * unit;
  }
  scanner = ahead;
  return true;
}

struct Clock {
  Digits hour;
  int minute = 0;
  int second = 0;
  bool has_second = false;
  bool padded = true;  // minutes and seconds have two digits each
  std::int32_t nanos = 0;
  HalfDay half = HalfDay::kNone;
};

bool take_minutes(Scanner& scanner, Clock& clock, int max_second, char separator) {
  const Digits minute = scanner.take_digits(2);
  clock.minute = minute.number;
  clock.padded = minute.count == 2;
  clock.has_second = scanner.take(separator);
  if (separator == 'h') {
    clock.has_second = scanner.take('m') && scanner.next_is_digit();
  }
  if (clock.has_second) {
    const Digits second = scanner.take_digits(2);
    clock.second = second.number;
    clock.padded = clock.padded && second.count == 2;
    if (second.count == 0 || !take_fraction(scanner, clock.nanos)) {
      return false;
    }
    if (separator == 'h') {
      scanner.take('s');
    }
  }
  return minute.count != 0 && clock.minute <= 59 && clock.second <= max_second;
}

// `separators` of hour and minute, one of which has to be there.
bool take_clock(Scanner& scanner, Clock& clock, int max_second, std::string_view separators) {
  constexpr std::size_t kMostHourDigits = 2;
  clock.half = take_half_day(scanner);
  if (clock.half != HalfDay::kNone) {
    scanner.take(' ');
  }
  if (scanner.digits_ahead() == 0 || scanner.digits_ahead() > kMostHourDigits) {
    return false;
  }
  clock.hour = scanner.take_digits(kMostHourDigits);
  const char separator = scanner.take_any(separators);
  if (separator != '\0' && !take_minutes(scanner, clock, max_second, separator)) {
    return false;
  }
  bool is_hour = separator != '\0';  // CH1, A1 and 1P are no hours, though CH, A and P are halves of the day
  if (clock.half == HalfDay::kNone) {
    constexpr std::size_t kOneLetter = 1;
    const std::size_t before = scanner.rest().size();
    clock.half = take_half_day(scanner);
    is_hour = is_hour || before - scanner.rest().size() > kOneLetter;
  }
  return is_hour;
}

// HHMM or HHMMSS[.f] after a date.
bool take_clock_without_separators(Scanner& scanner, Clock& clock, int max_second) {
  const bool has_second = scanner.digits_ahead() == 6;
  clock.hour = scanner.take_digits(2);
  clock.minute = scanner.take_digits(2).number;
  clock.second = has_second ? scanner.take_digits(2).number : 0;
  return clock.minute <= 59 && clock.second <= max_second && take_fraction(scanner, clock.nanos);
}

// Seconds of the day; none: there is no such hour. 24:00:00 is the end of the day.
std::optional<std::int32_t> seconds_of(const Clock& clock) {
  const int hour = clock.hour.number;
  const std::int32_t behind = clock.minute * 60 + clock.second;
  if (clock.half == HalfDay::kNone) {
    const bool valid = hour <= 23 || (hour == 24 && behind == 0 && clock.nanos == 0);
    return valid ? std::optional(hour * 3600 + behind) : std::nullopt;
  }
  if (hour < 1 || hour > 12) {
    return std::nullopt;
  }
  return (hour % 12 + (clock.half == HalfDay::kAfterNoon ? 12 : 0)) * 3600 + behind;
}

// +hh:mm, +hhmm, +hh or +h, also with -.
bool take_offset(Scanner& scanner, std::int32_t& ahead) {
  const bool behind = scanner.next_is('-');
  if (!scanner.take('+') && !scanner.take('-') && !scanner.take_word("\xE2\x88\x92")) {
    return false;
  }
  const Digits hours = scanner.take_digits(2);
  const bool has_minutes = scanner.take(':') || (hours.count == 2 && scanner.next_is_digit());
  const auto minutes = has_minutes ? scanner.take_number(2) : 0;
  if (hours.count == 0 || hours.number > 23 || !minutes || *minutes > 59) {
    return false;
  }
  ahead = hours.number * 3600 + *minutes * 60;
  ahead = behind ? -ahead : ahead;
  return true;
}

// Z, UTC, CET, +01:00, GMT+1, "+0100 CET", "+01:00[Europe/Berlin]", also after a space. True: there is none, or it was taken.
bool take_zone(Scanner& scanner, DateText& date) {
  Scanner after = scanner;
  after.take(' ');
  if (after.next_is_letter()) {
    const auto named = zone_of(after.take_letters());
    if (!named) {
      return false;
    }
    date.has_zone = true;
    date.ahead = *named;
    if (*named == 0 && (after.next_is('+') || after.next_is('-')) && !take_offset(after, date.ahead)) {
      return false;
    }
    scanner = after;
    return true;
  }
  if (!take_offset(after, date.ahead)) {
    return true;
  }
  date.has_zone = true;
  scanner = after;
  after.take(' ');
  const bool in_brackets = after.take('[') || after.take('(');
  const std::string_view name = after.take_letters();
  if (in_brackets) {
    while (!after.at_end() && after.take_any("])") == '\0') {
      after = Scanner(after.rest().substr(1));
    }
    scanner = after;
  } else if (zone_of(name)) {
    scanner = after;
  }
  return true;
}

// What stands between a date and its time.
bool take_between(Scanner& scanner) {
  if (scanner.take(',')) {
    scanner.take(' ');
    return true;
  }
  for (const std::string_view between : {" - ", " at ", " um ", " @ ", "  "}) {
    if (scanner.take_word(between)) {
      return true;
    }
  }
  return scanner.take_any(" Tt_/:;-") != '\0';
}

bool take_time(Scanner& scanner, DateText& date) {
  Clock clock;
  const std::size_t digits = scanner.digits_ahead();
  const bool taken = digits == 4 || digits == 6 ? take_clock_without_separators(scanner, clock, 60)
                                                : take_clock(scanner, clock, 60, ":.h-");
  const auto seconds = taken ? seconds_of(clock) : std::nullopt;
  date.has_time = seconds.has_value();
  date.seconds = seconds.value_or(0);
  date.nanos = clock.nanos;
  return date.has_time;
}

// "Mar 28 2024", "Mar 28, 2024 10:00", "Tue Dec 31 23:58:04 2024" and "Dec 31 23:58:04 CET 2024".
bool take_month_first(Scanner& scanner, DateText& date) {
  date.form.month_by_name = true;
  if (!take_month_word(scanner, date.first)) {
    return false;
  }
  scanner.take('.');
  if (scanner.take_any(" -/") == '\0') {
    return false;
  }
  scanner.take(' ');
  const Digits day = scanner.take_digits(2);
  date.second = day.number;
  const bool comma = scanner.take(',');
  if (day.count == 0 || (scanner.take_any(" -/") == '\0' && !comma)) {
    return false;
  }
  if (scanner.digits_ahead() == kYearDigits || comma) {
    return take_year(scanner, date);
  }
  date.form.separator = ':';  // the year comes after the time
  return take_time(scanner, date) && take_zone(scanner, date) && scanner.take(' ') &&
         take_year(scanner, date);
}

void pass_weekday(Scanner& scanner) {
  Scanner ahead = scanner;
  const std::string_view word = ahead.take_letters();
  ahead.take('.');
  ahead.take(',');
  if (is_weekday(word) && ahead.take(' ') && !ahead.at_end()) {
    Scanner behind =
        ahead;  // "mar. 12" may be a Tuesday or a day in March: the month is what stands before a day alone
    if (month_of(word) && behind.next_is_digit()) {
      behind.take_digits(2);
      behind.take_any(". -/");
      if (!behind.next_is_letter()) {
        return;
      }
    }
    scanner = ahead;
  }
}

bool is_valid(const DateText& date) {
  constexpr int kMostDays = 31;
  const bool known = !date.form.needs_order();
  return date.first >= 1 && date.second >= 1 && date.second <= kMostDays &&
         date.first <= (known ? 12 : kMostDays);
}

// "10:15:00 25.03.2024": true if a time of day stands first, which is taken with the space after it.
bool take_time_first(Scanner& scanner, DateText& date) {
  Scanner ahead = scanner;
  Clock clock;
  const auto seconds = take_clock(ahead, clock, 60, ":") ? seconds_of(clock) : std::nullopt;
  if (!seconds || (!ahead.take(',') && !ahead.next_is(' '))) {
    return false;
  }
  ahead.take(' ');
  scanner = ahead;
  date.has_time = true;
  date.seconds = *seconds;
  date.nanos = clock.nanos;
  return true;
}

// What stands between brackets or single quotes.
std::string_view without_marks(std::string_view text) {
  constexpr std::string_view kMarks[] = {"[]", "()", "''"};
  for (const std::string_view marks : kMarks) {
    if (text.size() > 2 && text.front() == marks.front() && text.back() == marks.back()) {
      return text.substr(1, text.size() - 2);
    }
  }
  return text;
}

}  // namespace

std::optional<DateText> read_date_text(std::string_view text) {
  constexpr std::size_t kShortest = 6;
  if (text.size() < kShortest) {
    return std::nullopt;
  }
  DateText date;
  Scanner scanner(without_marks(text));
  if (scanner.next_is_letter()) {
    pass_weekday(scanner);
  }
  const bool time_first = scanner.next_is_digit() && take_time_first(scanner, date);
  if (time_first && scanner.next_is_letter()) {
    pass_weekday(scanner);
  }
  const bool month_first = scanner.next_is_letter();
  if (!(month_first ? take_month_first(scanner, date) : take_date(scanner, date)) || !is_valid(date)) {
    return std::nullopt;
  }
  if (time_first && !take_zone(scanner, date)) {
    return std::nullopt;
  }
  if (!scanner.at_end() && !date.has_time) {
    if (!take_between(scanner) || !take_time(scanner, date)) {
      return std::nullopt;
    }
    if (!take_zone(scanner, date)) {
      return std::nullopt;
    }
  }
  return scanner.at_end() ? std::optional(date) : std::nullopt;
}

std::optional<std::int64_t> read_time_text(std::string_view text) {
  Scanner scanner(text);
  Clock clock;
  if (!take_clock(scanner, clock, 59, ":") || !scanner.at_end()) {
    return std::nullopt;
  }
  const bool clear = clock.hour.count == 2 || clock.has_second || clock.half != HalfDay::kNone;
  const auto seconds = clear && clock.padded ? seconds_of(clock) : std::nullopt;
  return seconds ? std::optional(*seconds % kSecondsPerDay * kNanosPerSecond + clock.nanos) : std::nullopt;
}

namespace {

// "2d ", "2 days " and "1 day, " before a time.
std::int64_t take_days(Scanner& scanner) {
  constexpr int kMostDigits = 6;
  Scanner ahead = scanner;
  const Digits days = ahead.take_digits(kMostDigits);
  ahead.take(' ');
  const std::string_view word = ahead.take_letters();
  const bool is_day = days.count != 0 && (word == "d" || word == "day" || word == "days");
  if (is_day) {
    ahead.take(',');
    ahead.take(' ');
    scanner = ahead;
  }
  return is_day ? std::int64_t{days.number} * kSecondsPerDay : 0;
}

}  // namespace

std::optional<std::int64_t> read_elapsed_text(std::string_view text) {
  constexpr int kMostHourDigits = 6;
  Scanner scanner(text);
  const std::int64_t days = take_days(scanner);
  const Digits hours = scanner.take_digits(kMostHourDigits);
  if (hours.count == 0 || !scanner.take(':')) {
    return std::nullopt;
  }
  Clock clock;
  if (!take_minutes(scanner, clock, 59, ':') || !clock.padded) {
    return std::nullopt;
  }
  std::int64_t seconds = std::int64_t{hours.number} * 3600 + clock.minute * 60 + clock.second;
  if (!clock.has_second) {  // "1:02.345": minutes and seconds
    const bool fraction = scanner.next_is('.') && take_fraction(scanner, clock.nanos);
    if (!fraction) {
      return std::nullopt;
    }
    seconds = std::int64_t{hours.number} * 60 + clock.minute;
  }
  return scanner.at_end() ? std::optional((days + seconds) * kNanosPerSecond + clock.nanos) : std::nullopt;
}

}  // namespace csv_log
