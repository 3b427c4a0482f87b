// The times at which the rows of a log were taken, and their description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parquet_file.h"
#include "running_clock.h"
#include "time_column.h"
#include "time_window.h"

namespace mpq_tool {

// Times of the rows of a log, their regularity, and the missing rows.
struct LogTiming {
  TimeColumn time;
  ClockHabits habits;
  std::uint64_t rows = 0;  // rows that have a time
  std::int64_t first = 0;  // time of the oldest row, in the column's units
  std::int64_t last = 0;   // time of the newest
  std::int64_t axis_first =
      0;  // the same on an axis on which the clock's runs follow each other: a place of RunningClock
  std::int64_t axis_last = 0;  // and `shift`
  std::int64_t shift = 0;
  std::int64_t interval = 0;  // the median from row to row; 0: there are fewer than two rows
  double jitter = 0;          // standard deviation of the intervals that are no gaps, in units
  bool regular =
      false;  // nine of ten intervals are the usual one, half of it more or less: gaps mean something
  std::uint64_t gaps = 0;     // intervals of more than one and a half
  std::uint64_t missing = 0;  // rows that the gaps have place for
  std::int64_t longest_gap = 0;
  std::uint64_t longest_gap_row = 0;  // after which it comes, counted from 1
  std::uint64_t steps_back = 0;       // rows whose time is before that of the row before
  std::uint64_t restarts = 0;         // those of them with which the clock began again
  std::uint64_t undated = 0;          // rows of boots that never learned the time, where others did
  std::uint64_t sets = 0;             // rows before which the clock was set on
  std::uint64_t first_run_row =
      0;  // row after which the second run begins, counted from 1; 0: there is one run
  std::int64_t first_run_step = 0;  // from its time to that of the next row
  std::optional<std::uint64_t>
      numbers_missing;  // that find_number_column() has not; none: it has no numbers, or not in order
};

// Whether there is place for a row in an interval from one row to the next.
inline bool is_gap(const LogTiming& timing, std::int64_t interval) {
  return timing.interval > 0 && static_cast<double>(interval) > 1.5 * static_cast<double>(timing.interval);
}

// Reads the time and the number of every row whose time lies in `window`; rows are counted from its first one. None: no row
// has a time there. Throws Failure.
std::optional<LogTiming> read_timing(ParquetFile& file, const TimeColumn& time, const TimeWindow& window);

// Time from the first row to the last; of several runs the sum.
double span_seconds(const LogTiming& timing);

// The rows of a log that have a time, and lie in a window, one after another.
class LogRows {
 public:
  // Chooses `columns`, the reader's cells in that order, and what the times need. `file` and `timing` must stay.
  LogRows(ParquetFile& file, std::vector<Column> columns, const LogTiming& timing, const TimeWindow& window);

  // False after the last one.
  bool next();
  // Counted from 1, from the window's first row on.
  std::uint64_t row() const { return rows_before_ - first_row_ + 1; }
  std::int64_t time() const { return time_; }
  // Of the row on the axis of `timing`.
  std::int64_t place() const { return time_after(clock_.place(), timing_.shift); }
  const RunningClock& clock() const { return clock_; }

 private:
  ParquetFile& file_;
  const LogTiming& timing_;
  TimeWindow window_;  // empty: the rows are chosen by their statistics
  TimeCells times_;
  WindowRows rows_;
  RunningClock clock_;
  std::int64_t time_ = 0;
  std::uint64_t rows_before_ = 0;
  std::uint64_t first_row_ = 0;
};

}  // namespace mpq_tool
