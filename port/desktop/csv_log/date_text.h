// A date, with or without a time of day, as it is written: before anybody knows whether the day or the month comes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace csv_log {

// What the parts of a date stand between, and in which order they are as far as one can see.
struct DateForm {
  char separator = '\0';
  bool year_first = false;
  bool month_by_name = false;
  bool short_year = false;  // of two digits
  bool operator==(const DateForm& other) const {
    return separator == other.separator && year_first == other.year_first &&
           month_by_name == other.month_by_name && short_year == other.short_year;
  }
  // Whether the form leaves open which is the day and which the month.
  bool needs_order() const { return !year_first && !month_by_name; }
};

struct DateText {
  DateForm form;
  int year = 0;
  int first = 0;  // the day where form.needs_order() and the day comes first; else the month
  int second = 0;
  bool has_time = false;
  std::int32_t seconds = 0;  // of the day; up to 86,400, since 24:00 and 23:59:60 are the next day
  std::int32_t nanos = 0;
  bool has_zone = false;
  std::int32_t ahead = 0;  // seconds ahead of UTC
};

// Reads all of `text`, which may stand in brackets or single quotes, and have the time of day first. None: it is no date.
std::optional<DateText> read_date_text(std::string_view text);

// A time of day alone: HH:MM[:SS[.f]] or H:MM:SS[.f], with AM, PM or the like before or after it; an hour may also stand alone
// before such a word of two letters or more. As nanoseconds since midnight; 24:00 is 0.
std::optional<std::int64_t> read_time_text(std::string_view text);

// Hours, which may be more than 24, minutes and seconds, as nanoseconds; days may stand before, as in "2 days 01:15:00". Or minutes
// and seconds with a fraction, as in 1:02.345.
std::optional<std::int64_t> read_elapsed_text(std::string_view text);

}  // namespace csv_log
