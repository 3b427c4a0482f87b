#include "log_timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "calendar.h"
#include "microparquet/text/grouped_digits.h"

namespace mpq_tool {

namespace {

constexpr std::size_t kMostSampled = std::size_t{1} << 19;  // intervals, of which the median is taken

// Subtracts two times; a difference beyond 64 bits counts as the largest.
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
  IntervalCounts later_;                 // intervals after them
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

namespace {

using microparquet::TimeUnit;
using microparquet::text::grouped_digits;

// A number with as many digits as `format` says, and without zeros at the end.
std::string number_text(double number, const char* format) {
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

double seconds_of(const TimeColumn& column, std::int64_t units) {
  return static_cast<double>(units) / static_cast<double>(column.units_per_second);
}

// A whole second has no unit of the calendar's.
std::string calendar_instant(std::int64_t per_second, std::int64_t units) {
  std::int64_t millis = 0;
  switch (per_second) {
    case 1'000: return timestamp_text(units, TimeUnit::kMillis);
    case 1'000'000: return timestamp_text(units, TimeUnit::kMicros);
    case 1'000'000'000: return timestamp_text(units, TimeUnit::kNanos);
    default: break;
  }
  return __builtin_mul_overflow(units, std::int64_t{1'000}, &millis)
             ? std::to_string(units) + " s"
             : timestamp_text(millis, TimeUnit::kMillis);
}

// "2 h 5 min", "2 h".
std::string parts_text(double large, const char* large_unit, double small, const char* small_unit) {
  std::string text = number_text(std::floor(large), "%.0f ") + large_unit;
  if (std::floor(small) > 0) {
    text += number_text(std::floor(small), " %.0f ") + small_unit;
  }
  return text;
}

std::string count_of(std::uint64_t count, const char* one, const char* many) {
  return grouped_digits(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::string instant_text(const TimeColumn& column, std::int64_t units) {
  const std::optional<std::int64_t> instant = since_1970(column, units);
  if (!instant) {
    return number_text(seconds_of(column, units), "%.3f") + " s";
  }
  return calendar_instant(column.units_per_second, *instant) + (is_utc(column) ? "Z" : "");
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  constexpr double kDay = 86400;
  if (seconds < 1e-6) {
    return number_text(seconds * 1e9, "%.3g") + " ns";
  }
  if (seconds < 1e-3) {
    return number_text(seconds * 1e6, "%.3g") + " us";
  }
  if (seconds < 1) {
    return number_text(seconds * 1e3, "%.3g") + " ms";
  }
  if (seconds < kMinute) {
    return number_text(seconds, "%.3g") + " s";
  }
  if (seconds < kHour) {
    return parts_text(seconds / kMinute, "min", std::fmod(seconds, kMinute), "s");
  }
  if (seconds < 2 * kDay) {
    return parts_text(seconds / kHour, "h", std::fmod(seconds, kHour) / kMinute, "min");
  }
  return parts_text(seconds / kDay, "days", std::fmod(seconds, kDay) / kHour, "h");
}

double span_seconds(const LogTiming& timing) {
  return (static_cast<double>(timing.last) - static_cast<double>(timing.first)) /
         static_cast<double>(timing.time.units_per_second);
}

std::string span_text(const LogTiming& timing) { return duration_text(span_seconds(timing)); }

std::string rate_in_brief(const LogTiming& timing) {
  const double seconds = seconds_of(timing.time, timing.interval);
  return seconds <= 1 ? number_text(1 / seconds, "%.6g") + " Hz" : "every " + duration_text(seconds);
}

std::string rate_text(const LogTiming& timing) {
  const double seconds = seconds_of(timing.time, timing.interval);
  if (!timing.regular) {
    return "irregular; from row to row mostly " + duration_text(seconds);
  }
  const double jitter = timing.jitter / static_cast<double>(timing.time.units_per_second);
  const std::string brief = rate_in_brief(timing);
  return (seconds <= 1 ? brief + ", a row every " + duration_text(seconds) : "a row " + brief) +
         (jitter == 0 ? ", without jitter" : ", jitter " + duration_text(jitter));
}

std::vector<std::string> missing_text(const LogTiming& timing, std::uint64_t dropped) {
  std::vector<std::string> lines;
  const std::uint64_t by_time = timing.regular ? timing.missing : 0;
  if (timing.regular) {
    lines.push_back(timing.gaps == 0 ? "none"
                                     : grouped_digits(timing.gaps) + ", the longest " +
                                           duration_text(seconds_of(timing.time, timing.longest_gap)) +
                                           " after row " + grouped_digits(timing.longest_gap_row) + "; " +
                                           count_of(timing.missing, "row is missing", "rows are missing"));
  }
  if (timing.steps_back != 0) {
    lines.push_back("the time goes back at " + count_of(timing.steps_back, "row", "rows"));
  }
  if (!timing.numbers_missing) {
    return lines;
  }
  const std::uint64_t numbered = *timing.numbers_missing;
  if (numbered != 0) {
    const std::uint64_t full = std::min(dropped, numbered);
    std::string text =
        count_of(numbered, "number is missing", "numbers are missing") + ": taken, and not in the file";
    if (full != 0) {
      text += full == numbered ? ", dropped by a full queue"
                               : "; " + grouped_digits(full) + " of them dropped by a full queue";
    }
    lines.push_back(text);
  }
  if (by_time > numbered) {
    lines.push_back(count_of(by_time - numbered, "row was", "rows were") +
                    " never taken: no number is missing for " + (by_time - numbered == 1 ? "it" : "them"));
  }
  return lines;
}

}  // namespace mpq_tool
