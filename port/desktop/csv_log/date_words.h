// The words of dates: months, days of the week, halves of the day and zones, as programs of several languages write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scanner.h"

namespace csv_log {

enum class HalfDay : std::uint8_t { kNone, kBeforeNoon, kAfterNoon };

// The month of that name or abbreviation, from 1; letters may be small or capital.
std::optional<int> month_of(std::string_view word);

bool is_weekday(std::string_view word);

// Takes AM, p.m., a, nachm. or the like, also after a space; kNone: nothing was taken.
HalfDay take_half_day(Scanner& scanner);

// Seconds ahead of UTC of a zone whose abbreviation means one zone only, as CET does and CST does not.
std::optional<std::int32_t> zone_of(std::string_view word);

}  // namespace csv_log
