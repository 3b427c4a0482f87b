// Dates and times as they stand in CSV files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace csv_log {

struct Timestamp {
  std::int64_t seconds = 0;  // since 1970-01-01 00:00, in UTC when there is a zone, else local
  std::int32_t nanos = 0;    // 0 to 999,999,999, on top of the seconds
  bool has_zone = false;
};

// YYYY-MM-DD[ T]HH:MM[:SS[.f]][ ][Z|UTC|GMT|+hh[[:]mm]|-hh[[:]mm]], with up to nine digits of fraction; t and z may be
// small letters. A leap second, :60, is the first second of the next minute, as in POSIX.
std::optional<Timestamp> parse_timestamp(std::string_view text);

// YYYY-MM-DD, as days since 1970-01-01.
std::optional<std::int32_t> parse_date(std::string_view text);

// HH:MM[:SS[.f]], as nanoseconds since midnight.
std::optional<std::int64_t> parse_time(std::string_view text);

// `timestamp` in units of which a second has `units_per_second`; finer digits are cut off towards the past.
// None when it is out of the range of 64 bits.
std::optional<std::int64_t> in_units(const Timestamp& timestamp, std::int64_t units_per_second);

}  // namespace csv_log
