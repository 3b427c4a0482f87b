// Times that a column has as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mpq_tool {

enum class TimeForm : std::uint8_t {
  kNone,
  kDate,       // 2024-03-31
  kLocal,      // a date and a time of day
  kZoned,      // with a zone
  kTimeOfDay,  // 12:30:00
};

struct TimeText {
  TimeForm form = TimeForm::kNone;
  std::int64_t nanos = 0;  // since 1970 or midnight
};

// Dates and times by ISO 8601, and as programs print them: with / in the date, a comma before the fraction, a space before the zone,
// UTC for Z, without separators (20240331T123000Z). None: it is another text, or farther from 1970 than nanoseconds count.
std::optional<TimeText> time_text_in(std::string_view text);

// The form of a column that has texts of both. None: they are no times together. A date stands for its midnight among local times.
std::optional<TimeForm> form_of_both(TimeForm a, TimeForm b);

}  // namespace mpq_tool
