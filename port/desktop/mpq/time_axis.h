// Marks along a time axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "time_column.h"

namespace mpq_tool {

// The axis from one time to another, in units of `time`; without it in rows, counted from 0.
struct TimeAxis {
  std::optional<TimeColumn> time;
  std::int64_t first = 0;
  std::int64_t last = 0;

  // Position of a time on the axis, from 0 for the first to `end` for the last.
  double place(std::int64_t at, double end) const;
};

// A line of `width` characters: marks at round times, each after a bar that stands where the time is. One at least.
std::string axis_line(const TimeAxis& axis, std::size_t width);

}  // namespace mpq_tool
