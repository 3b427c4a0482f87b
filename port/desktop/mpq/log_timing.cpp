#include "log_timing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interval_counts.h"

namespace mpq_tool {

namespace {

constexpr std::size_t kMostSampled = std::size_t{1} << 19;  // intervals, of which the median is taken

// Of two times; what does not fit in 64 bits counts as the largest.
std::int64_t difference(std::int64_t later, std::int64_t earlier) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(later, earlier, &result)) {
    return later > earlier ? INT64_MAX : INT64_MIN;
  }
  return result;
}

class TimingReader {
 public:
  TimingReader(ParquetFile& file, const TimeColumn& time, const TimeWindow& window)
      : file_(file), window_(window), number_(find_number_column(file)) {
    timing_.time = time;
  }

  std::optional<LogTiming> run() {
    sample_intervals();
    if (timing_.rows == 0) {
      return std::nullopt;
    }
    if (timing_.interval > 0) {
      find_gaps();
    }
    return timing_;
  }

 private:
  // Calls `visit(time, row)` for each row with a time.
  template <typename Visit>
  void visit_times(const Visit& visit, bool with_numbers) {
    std::vector<Column> columns = {timing_.time.column};
    if (with_numbers && number_ && number_->number != columns.front().number) {
      columns.push_back(*number_);
    }
    WindowRows rows(file_, columns, timing_.time, window_);
    for (std::uint64_t row = 0; rows.next(); ++row) {
      if (columns.size() > 1) {
        see_number(counted_time(file_.reader().cell(1), columns.back().element.type));
      }
      if (const auto time = counted_time(file_.reader().cell(0), timing_.time.column.element.type)) {
        visit(*time, row);
      }
    }
  }

  // Numbers begin anywhere, and rise.
  void see_number(const std::optional<std::int64_t>& number) {
    in_order_ = in_order_ && number && (numbers_ == 0 || *number > last_number_);
    if (!in_order_) {
      return;
    }
    skipped_ += numbers_ == 0 ? 0 : static_cast<std::uint64_t>(difference(*number, last_number_)) - 1;
    last_number_ = *number;
    ++numbers_;
  }

  void sample_intervals() {
    std::int64_t before = 0;
    visit_times(
        [&](std::int64_t time, std::uint64_t row) {
          if (timing_.rows == 0) {
            timing_.first = timing_.last = timing_.earliest = time;
          } else if (intervals_.size() < kMostSampled) {
            intervals_.push_back(difference(time, before));
            have_all_rows_ = have_all_rows_ && row == intervals_.size();
          } else {
            later_.add(difference(time, before), row);
          }
          timing_.last = std::max(timing_.last, time);
          timing_.earliest = std::min(timing_.earliest, time);
          before = time;
          ++timing_.rows;
        },
        true);
    if (numbers_ != 0 && in_order_) {
      timing_.numbers_missing = skipped_;
    }
    if (!intervals_.empty()) {
      timing_.interval = median_interval();
    }
  }

  std::int64_t median_interval() const {
    std::vector<std::int64_t> lengths = intervals_;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
  }

  // Calls `visit(interval, row, times)` for each, with the row after which it comes first, counted from 1. Reads all again
  // where the first have rows without a time between them, or those after them are too different to be counted.
  template <typename Visit>
  void visit_intervals(const Visit& visit) {
    if (have_all_rows_ && later_.is_complete()) {
      for (std::size_t i = 0; i < intervals_.size(); ++i) {
        visit(intervals_[i], i + 1, 1);
      }
      for (const auto& [interval, count] : later_.counts()) {
        visit(interval, count.row, count.times);
      }
      return;
    }
    std::int64_t before = 0;
    bool first = true;
    visit_times(
        [&](std::int64_t time, std::uint64_t row) {
          if (!std::exchange(first, false)) {
            visit(difference(time, before), row, 1);
          }
          before = time;
        },
        false);
  }

  void find_gaps() {
    const auto usual = static_cast<double>(timing_.interval);
    std::uint64_t near = 0;
    double sum = 0;
    double squares = 0;
    visit_intervals([&](std::int64_t interval, std::uint64_t row, std::uint64_t times) {
      const double off = static_cast<double>(interval) - usual;
      timing_.steps_back += interval < 0 ? times : 0;
      if (is_gap(timing_, interval)) {
        add_gap(interval, row, times);
      } else if (-off <= usual / 2) {
        near += times;
        sum += off * static_cast<double>(times);
        squares += off * off * static_cast<double>(times);
      }
    });
    const auto count = static_cast<double>(std::max<std::uint64_t>(near, 1));
    timing_.jitter = std::sqrt(std::max(0.0, squares / count - (sum / count) * (sum / count)));
    constexpr double kMostOthers = 0.1;
    timing_.regular = static_cast<double>(near) >= (1 - kMostOthers) * static_cast<double>(timing_.rows - 1);
  }

  void add_gap(std::int64_t interval, std::uint64_t row, std::uint64_t times) {
    const double places = static_cast<double>(interval) / static_cast<double>(timing_.interval);
    timing_.gaps += times;
    timing_.missing += (static_cast<std::uint64_t>(std::llround(places)) - 1) * times;
    if (interval > timing_.longest_gap) {
      timing_.longest_gap = interval;
      timing_.longest_gap_row = row;
    }
  }

  ParquetFile& file_;
  const TimeWindow& window_;
  std::optional<Column> number_;
  LogTiming timing_;
  std::vector<std::int64_t> intervals_;  // the first ones
  IntervalCounts later_;                 // those after them
  bool have_all_rows_ = true;            // each row up to their last one has a time
  bool in_order_ = true;
  std::uint64_t numbers_ = 0;
  std::int64_t last_number_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace

std::optional<LogTiming> read_timing(ParquetFile& file, const std::string& time_name) {
  const auto time = find_time_column(file, time_name);
  return time ? read_timing(file, *time, {}) : std::nullopt;
}

std::optional<LogTiming> read_timing(ParquetFile& file, const TimeColumn& time, const TimeWindow& window) {
  refuse_endless_rows(file);
  return file.reader().rows() != 0 ? TimingReader(file, time, window).run() : std::nullopt;
}

}  // namespace mpq_tool
