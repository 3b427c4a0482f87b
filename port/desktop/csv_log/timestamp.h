// Dates and times as they stand in CSV files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "date_text.h"

namespace csv_log {

struct Timestamp {
  std::int64_t seconds = 0;  // seconds since 1970-01-01 00:00, in UTC when there is a zone, otherwise local
  std::int32_t nanos = 0;    // 0 to 999,999,999, on top of the seconds
  bool has_zone = false;
};

// The first part of dates whose year comes last.
enum class DateOrder : std::uint8_t {
  kUnknown,  // such dates are not read
  kDay,
  kMonth,
};

// A date and a time in any form of date_text.h; where the year comes last, `order` says whether the day or the month is first.
// A leap second, :60, is the first second of the next minute, as in POSIX.
std::optional<Timestamp> parse_timestamp(std::string_view text, DateOrder order);
std::optional<Timestamp> timestamp_of(const DateText& date, DateOrder order);

// A date without a time. As days since 1970-01-01.
std::optional<std::int32_t> parse_date(std::string_view text, DateOrder order);
std::optional<std::int32_t> date_of(const DateText& date, DateOrder order);

// `timestamp` in units of which a second has `units_per_second`; finer digits are cut off towards the past.
// None when it is out of the range of 64 bits.
std::optional<std::int64_t> in_units(const Timestamp& timestamp, std::int64_t units_per_second);

}  // namespace csv_log
