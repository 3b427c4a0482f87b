// Dates and times as they stand in CSV files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

// A date, [,] and a space or T, HH:MM[:SS[.f]][ AM|PM][ ][Z|UTC|GMT|+hh[[:]mm]|-hh[[:]mm]], with up to nine digits of
// fraction after a point or a comma; t, z, am and pm may be small letters. An hour may have one digit before AM or PM, and
// after dates other than YYYY-MM-DD. A leap second, :60, is the first second of the next minute, as in POSIX.
std::optional<Timestamp> parse_timestamp(std::string_view text, DateOrder order);

// YYYY-MM-DD; YYYY/MM/DD or YYYY.MM.DD; or DD/MM/YYYY or MM/DD/YYYY as `order` says, with slashes, points or hyphens. Days
// and months may have one digit where the date does not begin as YYYY-. As days since 1970-01-01.
std::optional<std::int32_t> parse_date(std::string_view text, DateOrder order);

// HH:MM[:SS[.f]][ AM|PM], as nanoseconds since midnight.
std::optional<std::int64_t> parse_time(std::string_view text);

// `timestamp` in units of which a second has `units_per_second`; finer digits are cut off towards the past.
// None when it is out of the range of 64 bits.
std::optional<std::int64_t> in_units(const Timestamp& timestamp, std::int64_t units_per_second);

}  // namespace csv_log
