#include "log_timing.h"

#include <algorithm>
#include <cmath>

#include "time_choice.h"

namespace mpq_tool {

namespace {

constexpr std::size_t kMostSampled = std::size_t{1} << 19;  // rows that show how the clock goes

// Numbers of rows begin anywhere, and rise.
class RowNumbers {
 public:
  void see(const std::optional<std::int64_t>& number) {
    in_order_ = in_order_ && number && (count_ == 0 || *number > last_);
    if (!in_order_) {
      return;
    }
    skipped_ += count_ == 0 ? 0 : static_cast<std::uint64_t>(time_between(*number, last_)) - 1;
    last_ = *number;
    ++count_;
  }

  // None: there are none, or not in order.
  std::optional<std::uint64_t> missing() const {
    return count_ != 0 && in_order_ ? std::optional(skipped_) : std::nullopt;
  }

 private:
  bool in_order_ = true;
  std::uint64_t count_ = 0;
  std::int64_t last_ = 0;
  std::uint64_t skipped_ = 0;
};

// Adds rows up, in their order.
class TimingSums {
 public:
  TimingSums(const TimeColumn& time, const ClockHabits& habits) {
    timing_.time = time;
    timing_.habits = habits;
    timing_.interval = habits.interval;
  }

  // A row with its time, which `clock` has taken; `row` is counted from 1.
  void add(const RunningClock& clock, std::int64_t time, std::uint64_t row) {
    const std::int64_t place = clock.place();
    if (timing_.rows++ == 0) {
      timing_.first = timing_.last = time;
      timing_.axis_first = timing_.axis_last = place;
    } else {
      count_step(clock, time, row - 1);
    }
    if (place < timing_.axis_first) {
      timing_.axis_first = place;
      timing_.first = time;
    }
    if (place > timing_.axis_last) {
      timing_.axis_last = place;
      timing_.last = time;
    }
    before_ = time;
    newest_gap_ = time_between(time, place);
  }

  // None: there was no row. Without a shift the clock began with the first row, whose place is its time.
  std::optional<LogTiming> timing(std::optional<std::int64_t> shift = std::nullopt) {
    if (timing_.rows == 0) {
      return std::nullopt;
    }
    const auto count = static_cast<double>(std::max<std::uint64_t>(near_, 1));
    timing_.jitter = std::sqrt(std::max(0.0, squares_ / count - (sum_ / count) * (sum_ / count)));
    constexpr double kMostOthers = 0.1;
    const std::uint64_t steps = timing_.rows - 1 - timing_.restarts - timing_.sets;
    timing_.regular =
        timing_.interval > 0 && static_cast<double>(near_) >= (1 - kMostOthers) * static_cast<double>(steps);
    // Dates are those of the newest rows, when the clock may have been set; seconds are those of the oldest.
    const bool by_newest = timing_.time.since_1970() || timing_.time.start;
    set_shift(shift.value_or(by_newest == timing_.habits.newest_first ? 0 : newest_gap_));
    return timing_;
  }

 private:
  void count_step(const RunningClock& clock, std::int64_t time, std::uint64_t row_before) {
    switch (clock.step()) {
      case RunningClock::Step::kBack: ++timing_.steps_back; return;
      case RunningClock::Step::kRestart:
        ++timing_.steps_back;
        ++timing_.restarts;
        break;
      case RunningClock::Step::kSet: ++timing_.sets; break;
      default: count_interval(clock.interval(), row_before); return;
    }
    if (timing_.first_run_row == 0) {
      timing_.first_run_row = row_before;
      timing_.first_run_step = time_between(time, before_);
    }
  }

  void count_interval(std::int64_t interval, std::uint64_t row) {
    if (timing_.interval <= 0) {
      return;
    }
    const auto usual = static_cast<double>(timing_.interval);
    const double off = static_cast<double>(interval) - usual;
    if (is_gap(timing_, interval)) {
      ++timing_.gaps;
      timing_.missing += static_cast<std::uint64_t>(std::llround(static_cast<double>(interval) / usual)) - 1;
      if (interval > timing_.longest_gap) {
        timing_.longest_gap = interval;
        timing_.longest_gap_row = row;
      }
    } else if (-off <= usual / 2) {
      ++near_;
      sum_ += off;
      squares_ += off * off;
    }
  }

  void set_shift(std::int64_t shift) {
    timing_.shift = shift;
    timing_.axis_first = time_after(timing_.axis_first, shift);
    timing_.axis_last = time_after(timing_.axis_last, shift);
  }

  LogTiming timing_;
  std::int64_t before_ = 0;
  std::int64_t newest_gap_ = 0;  // from the place to the time of the last row
  std::uint64_t near_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

class TimingReader {
 public:
  TimingReader(ParquetFile& file, const TimeColumn& time, const TimeWindow& window)
      : file_(file), time_(time), window_(window), number_(find_number_column(file)) {}

  std::optional<LogTiming> run() {
    std::vector<Column> columns;
    const TimeCells times(time_, columns);
    const std::size_t number = columns.size();
    if (number_ && !time_.has(*number_)) {
      columns.push_back(*number_);
    }
    WindowRows rows(file_, columns, time_, window_);
    while (rows.next()) {
      ++row_;
      if (number_ && columns.size() > number) {
        numbers_.see(integer_in(file_.reader().cell(static_cast<std::uint32_t>(number)), *number_));
      }
      if (const auto time = times.time(file_.reader(), row_ - 1)) {
        take({*time, row_});
      } else {
        ++undated_;
      }
    }
    auto timing = (going_ ? *going_ : begin()).sums.timing();
    if (timing) {
      timing->numbers_missing = numbers_.missing();
      timing->undated = time_.clocks.any() ? undated_ : 0;
    }
    return timing;
  }

 private:
  void take(const TimedRow& row) {
    if (going_) {
      going_->take(row);
      return;
    }
    sample_.push_back(row);
    if (sample_.size() == kMostSampled) {
      begin();
    }
  }

  // The clock and the sums that it leads to.
  struct Going {
    Going(const TimeColumn& time, const ClockHabits& habits) : clock(time, habits), sums(time, habits) {}

    void take(const TimedRow& row) {
      clock.take(row.time);
      sums.add(clock, row.time, row.row);
    }

    RunningClock clock;
    TimingSums sums;
  };

  Going& begin() {
    Going& going = going_.emplace(time_, habits_of(time_, sample_));
    for (const TimedRow& row : sample_) {
      going.take(row);
    }
    sample_ = {};
    return going;
  }

  ParquetFile& file_;
  const TimeColumn& time_;
  const TimeWindow& window_;
  std::optional<Column> number_;
  std::vector<TimedRow> sample_;
  std::optional<Going> going_;
  RowNumbers numbers_;
  std::uint64_t row_ = 0;
  std::uint64_t undated_ = 0;
};

// Adds up the rows of a window of a log all of which is known.
std::optional<LogTiming> timing_of_window(ParquetFile& file, const LogTiming& all, const TimeWindow& window) {
  TimingSums sums(all.time, all.habits);
  LogRows rows(file, {}, all, window);
  while (rows.next()) {
    sums.add(rows.clock(), rows.time(), rows.row());
  }
  return sums.timing(all.shift);
}

// Whether the times lie on the axis as they are, so that a window says which of the column's values lie in it.
bool has_window_of_values(const LogTiming& timing) {
  const TimeColumn& time = timing.time;
  return time.is_timestamp() ||
         (time.is_one_column() && time.kind == TimeColumn::Kind::kFromStart && timing.restarts == 0 &&
          timing.sets == 0 && timing.first == timing.axis_first && timing.last == timing.axis_last);
}

bool is_within(const TimeWindow& window, std::int64_t place) {
  return (!window.from || place >= *window.from) && (!window.to || place <= *window.to);
}

}  // namespace

LogRows::LogRows(ParquetFile& file, std::vector<Column> columns, const LogTiming& timing,
                 const TimeWindow& window)
    : file_(file),
      timing_(timing),
      window_(has_window_of_values(timing) ? TimeWindow() : window),
      times_(timing.time, columns),
      rows_(file, columns, timing.time, has_window_of_values(timing) ? window : TimeWindow()),
      clock_(timing_.time, timing_.habits) {}

bool LogRows::next() {
  while (rows_.next()) {
    const auto time = times_.time(file_.reader(), rows_before_++);
    if (!time) {
      continue;
    }
    clock_.take(*time);
    if (is_within(window_, place())) {
      time_ = *time;
      first_row_ = first_row_ == 0 ? rows_before_ : first_row_;
      return true;
    }
  }
  return false;
}

std::optional<LogTiming> read_timing(ParquetFile& file, const TimeColumn& time, const TimeWindow& window) {
  refuse_endless_rows(file);
  if (file.reader().rows() == 0) {
    return std::nullopt;
  }
  const bool is_whole = !window.from && !window.to;
  const auto timing = TimingReader(file, time, time.is_timestamp() ? window : TimeWindow()).run();
  return is_whole || time.is_timestamp() || !timing ? timing : timing_of_window(file, *timing, window);
}

double span_seconds(const LogTiming& timing) {
  const auto joins = static_cast<double>(timing.restarts + timing.sets);
  const double units = static_cast<double>(timing.axis_last) - static_cast<double>(timing.axis_first) -
                       joins * static_cast<double>(timing.interval);
  return units / static_cast<double>(timing.time.units_per_second);
}

}  // namespace mpq_tool
