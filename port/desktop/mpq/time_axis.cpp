#include "time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "microparquet/text/grouped_digits.h"
#include "timing_text.h"

namespace mpq_tool {

namespace {

constexpr double kMinuteSeconds = 60;
constexpr double kHourSeconds = 3600;
constexpr double kDaySeconds = 86'400;

// From a few seconds on people do not count in tens.
constexpr std::array<double, 18> kLongSteps = {5,
                                               10,
                                               15,
                                               30,
                                               60,
                                               120,
                                               300,
                                               600,
                                               900,
                                               1800,
                                               kHourSeconds,
                                               2 * kHourSeconds,
                                               6 * kHourSeconds,
                                               12 * kHourSeconds,
                                               kDaySeconds,
                                               2 * kDaySeconds,
                                               7 * kDaySeconds,
                                               30 * kDaySeconds};

// Seconds as "1:05:00".
std::string hours_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::abs(seconds)));
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "%s%lld:%02lld:%02lld", seconds < 0 ? "-" : "",
                static_cast<long long>(whole / 3600), static_cast<long long>(whole / 60 % 60),
                static_cast<long long>(whole % 60));
  return text.data();
}

// Seconds with as many digits after the point as the steps differ in.
std::string seconds_text(double seconds, double step) {
  const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  std::array<char, 64> text = {};
  std::snprintf(text.data(), text.size(), "%.*f s", decimals, seconds);
  return text.data();
}

// 1, 2 and 5 of each power of ten; of times, those of kLongSteps and their double.
double next_step(double step, bool of_time) {
  if (of_time && step >= 2) {
    const auto* const longer = std::upper_bound(kLongSteps.begin(), kLongSteps.end(), step);
    return longer == kLongSteps.end() ? 2 * step : *longer;
  }
  const double power = std::pow(10, std::floor(std::log10(step) + 1e-9));
  const double leading = step / power;
  return power * (leading < 1.5 ? 2 : leading < 3 ? 5 : 10);
}

class Marks {
 public:
  Marks(const TimeAxis& axis, std::size_t width)
      : axis_(axis),
        width_(width),
        per_second_(axis.time ? static_cast<double>(axis.time->units_per_second) : 1),
        step_(1 / per_second_) {
    const double span = static_cast<double>(axis.last) - static_cast<double>(axis.first);
    while (span / per_second_ / step_ > static_cast<double>(width)) {
      step_ = next_step(step_, axis.time.has_value());
    }
    for (find(); !have_space(); find()) {
      step_ = next_step(step_, axis.time.has_value());
    }
  }

  std::string line() const {
    std::string line(width_, ' ');
    for (const std::int64_t mark : marks_) {
      const std::size_t begin = place(mark);
      const std::string label = text(mark);
      line[begin] = '|';
      if (begin + 1 + label.size() <= width_) {
        line.replace(begin + 1, label.size(), label);
      }
    }
    return line;
  }

 private:
  // Multiples of the step; where none lies on the axis, its beginning.
  void find() {
    marks_.clear();
    const auto step = static_cast<std::int64_t>(std::llround(step_ * per_second_));
    std::int64_t begin =
        axis_.time ? since_1970(*axis_.time, axis_.first).value_or(axis_.first) : axis_.first;
    begin = begin % step > 0 ? step - begin % step : -(begin % step);
    std::int64_t mark = 0;
    bool more = !__builtin_add_overflow(axis_.first, begin, &mark);
    while (more && mark <= axis_.last) {
      marks_.push_back(mark);
      more = !__builtin_add_overflow(mark, step, &mark);
    }
    if (marks_.empty()) {
      marks_.push_back(axis_.first);
    }
  }

  // Whether each label but the last ends before the next bar.
  bool have_space() const {
    for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
      if (place(marks_[i]) + 1 + text(marks_[i]).size() >= place(marks_[i + 1])) {
        return false;
      }
    }
    return true;
  }

  std::size_t place(std::int64_t mark) const {
    return std::min(width_ - 1, static_cast<std::size_t>(axis_.place(mark, static_cast<double>(width_))));
  }

  std::string text(std::int64_t mark) const {
    if (!axis_.time) {
      return microparquet::text::grouped_digits(static_cast<std::uint64_t>(mark));
    }
    if (since_1970(*axis_.time, mark) || axis_.time->kind == TimeColumn::Kind::kTimeOfDay) {
      return calendar_text(*axis_.time, mark);
    }
    const double seconds = static_cast<double>(mark) / per_second_;
    return step_ < kMinuteSeconds ? seconds_text(seconds, step_) : hours_text(seconds);
  }

  // The date or the time of day, whichever the step is of; where a day begins "02-28".
  std::string calendar_text(const TimeColumn& time, std::int64_t mark) const {
    const std::string instant = instant_text(time, mark);
    const std::size_t clock = instant.find('T') + 1;  // 0 of a time of day
    if (step_ >= kDaySeconds && clock != 0) {
      return instant.substr(0, clock - 1);
    }
    constexpr std::string_view kMidnight = "00:00";
    if (step_ < kMinuteSeconds) {
      return instant.substr(clock, instant.find('Z') - clock);
    }
    const std::string time_of_day = instant.substr(clock, kMidnight.size());
    return time_of_day == kMidnight && clock != 0
               ? instant.substr(clock - 1 - kMidnight.size(), kMidnight.size())
               : time_of_day;
  }

  const TimeAxis& axis_;
  std::size_t width_;
  double per_second_;
  double step_;  // seconds or rows
  std::vector<std::int64_t> marks_;
};

}  // namespace

double TimeAxis::place(std::int64_t at, double end) const {
  if (at <= first || last <= first) {
    return 0;
  }
  const auto passed = static_cast<double>(static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(first));
  const auto span = static_cast<double>(static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first));
  return passed / span * end;
}

std::string axis_line(const TimeAxis& axis, std::size_t width) { return Marks(axis, width).line(); }

}  // namespace mpq_tool
