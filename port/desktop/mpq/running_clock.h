// Times of rows in sequence: a clock that restarts, wraps, is set, or is a time of day, one run after another.
#pragma once

#include <cstdint>
#include <vector>

#include "time_column.h"

namespace mpq_tool {

struct TimedRow {
  std::int64_t time = 0;
  std::uint64_t row = 0;  // counted from 1
};

// How a log's clock goes, as its first rows show.
struct ClockHabits {
  std::int64_t interval =
      0;  // the median from row to row, without sign; 0: there are fewer than two rows, or most times are equal
  bool newest_first = false;
  bool in_order = true;              // but for a few rows, times rise, or fall
  std::int64_t largest = INT64_MAX;  // of intervals that may be a gap: beyond it the clock was set
};

ClockHabits habits_of(const TimeColumn& time, const std::vector<TimedRow>& rows);

// Goes along with the rows of a log, in their order.
class RunningClock {
 public:
  enum class Step : std::uint8_t {
    kNone,  // there was no row yet
    kFirst,
    kOn,       // the next row of a run
    kBack,     // a row out of order
    kRestart,  // a run begins: the time went back
    kSet       // a run begins: the time advanced farther than any gap
  };

  RunningClock(const TimeColumn& time, const ClockHabits& habits) : time_(time), habits_(habits) {}

  // Takes the next row's time.
  void take(std::int64_t time);

  Step step() const { return step_; }
  // From the row before in the order of time, in units; without meaning where a run begins.
  std::int64_t interval() const { return interval_; }
  // A time that continues from run to run, each a usual interval after the one before; of logs that have the newest row first it
  // falls. The first row's is its own.
  std::int64_t place() const { return habits_.newest_first ? -place_ : place_; }

 private:
  std::int64_t unwrapped(std::int64_t step) const;

  const TimeColumn& time_;
  ClockHabits habits_;
  Step step_ = Step::kNone;
  std::int64_t interval_ = 0;
  // Reversed where the newest row is first:
  std::int64_t before_ = 0;     // time of the row before
  std::int64_t run_first_ = 0;  // place of the run's first row
  std::int64_t place_ = 0;
};

// Adds a step to a time; a sum beyond 64 bits counts as the largest or smallest.
std::int64_t time_after(std::int64_t time, std::int64_t step);

// Subtracts two times; a difference beyond 64 bits counts as the largest.
std::int64_t time_between(std::int64_t later, std::int64_t earlier);

}  // namespace mpq_tool
