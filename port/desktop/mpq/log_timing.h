// The times at which the rows of a log were taken, and their description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "parquet_file.h"
#include "time_column.h"
#include "time_window.h"

namespace mpq_tool {

// Counts how often each interval from row to row comes, in a log however long.
class IntervalCounts {
 public:
  struct Count {
    std::uint64_t times = 0;
    std::uint64_t row = 0;  // after which it comes first
  };

  // A clock that ticks in microseconds has some thousand different intervals. One that has more than are kept is not
  // counted any further.
  void add(std::int64_t interval, std::uint64_t row) {
    if (last_ == nullptr || interval != last_interval_) {
      if (!complete_) {
        return;
      }
      last_ = &counts_[interval];
      last_interval_ = interval;
      complete_ = counts_.size() <= kMost;
    }
    if (last_->times++ == 0) {
      last_->row = row;
    }
  }

  // Whether counts() has all that were added.
  bool is_complete() const { return complete_; }
  const std::unordered_map<std::int64_t, Count>& counts() const { return counts_; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  std::unordered_map<std::int64_t, Count> counts_;
  Count* last_ = nullptr;
  std::int64_t last_interval_ = 0;
  bool complete_ = true;
};

// Times of the rows of a log, their regularity, and the missing rows.
struct LogTiming {
  TimeColumn time;
  std::uint64_t rows = 0;     // rows that have a time
  std::int64_t first = 0;     // first time, in the column's units
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

// A time of the column: a date and a time of day or, of times since any start, seconds.
std::string instant_text(const TimeColumn& column, std::int64_t units);

// "2 h 3 min 4.5 s", "12.5 ms".
std::string duration_text(double seconds);

// Time from the first row to the last.
double span_seconds(const LogTiming& timing);
std::string span_text(const LogTiming& timing);

// "100 Hz", and where that is less than one "a row every 10 min".
std::string rate_text(const LogTiming& timing);

// The same in brief: "100 Hz", "every 10 min".
std::string rate_in_brief(const LogTiming& timing);

// Describes the missing rows, and what is known of them, a sentence each. `dropped`: the number in the
// key-values.
std::vector<std::string> missing_text(const LogTiming& timing, std::uint64_t dropped);

}  // namespace mpq_tool
