// When the rows of a log were taken, how regularly, and which are missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parquet_file.h"
#include "time_column.h"
#include "time_window.h"

namespace mpq_tool {

struct LogTiming {
  TimeColumn time;
  std::uint64_t rows = 0;     // that have a time
  std::int64_t first = 0;     // in the column's units
  std::int64_t last = 0;      // the largest
  std::int64_t earliest = 0;  // the smallest
  std::int64_t interval = 0;  // the median from row to row; 0: there are fewer than two rows
  double jitter = 0;          // standard deviation of the intervals that are no gaps, in units
  bool regular =
      false;  // nine of ten intervals are the usual one, half of it more or less: gaps mean something
  std::uint64_t gaps = 0;     // intervals of more than one and a half
  std::uint64_t missing = 0;  // rows that the gaps have place for
  std::int64_t longest_gap = 0;
  std::uint64_t longest_gap_row = 0;  // after which it comes, counted from 1
  std::uint64_t steps_back = 0;       // rows whose time is before that of the row before
  std::optional<std::uint64_t>
      numbers_missing;  // that find_number_column() has not; none: it has no numbers, or not in order
};

// Whether there is place for a row in an interval from one row to the next.
inline bool is_gap(const LogTiming& timing, std::int64_t interval) {
  return static_cast<double>(interval) > 1.5 * static_cast<double>(timing.interval);
}

// Reads the time and the number of every row; twice where rows have no time, and where the intervals between more than
// half a million rows are of very many lengths. None: the file has no time column, or no row with a time. Throws Failure.
std::optional<LogTiming> read_timing(ParquetFile& file, const std::string& time_name);

// The same of the rows whose times lie in `window`; rows are counted from its first one.
std::optional<LogTiming> read_timing(ParquetFile& file, const TimeColumn& time, const TimeWindow& window);

}  // namespace mpq_tool
