// Dates and times by ISO 8601.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/schema.h"

namespace mpq_tool {

// How many units of a time or a timestamp a second has.
constexpr std::int64_t units_per_second(microparquet::TimeUnit unit) {
  switch (unit) {
    case microparquet::TimeUnit::kMillis: return 1'000;
    case microparquet::TimeUnit::kMicros: return 1'000'000;
    case microparquet::TimeUnit::kNanos: return 1'000'000'000;
  }
  return 1;
}

// Days since 1970-01-01, as "2026-02-28". Years outside 0000 to 9999 have a sign.
std::string date_text(std::int64_t days);

// Units since midnight, as "06:00:00", with as many digits after the seconds as are needed: none, 3, 6 or 9.
std::string time_text(std::int64_t units, microparquet::TimeUnit unit);

// Units since 1970-01-01 00:00, as "2026-02-28T06:00:00.250".
std::string timestamp_text(std::int64_t units, microparquet::TimeUnit unit);

}  // namespace mpq_tool
