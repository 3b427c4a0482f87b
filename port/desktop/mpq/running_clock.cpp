#include "running_clock.h"

#include <algorithm>
#include <cstddef>

namespace mpq_tool {

namespace {

constexpr std::int64_t kFar = 1'000;  // times as much is no gap

std::int64_t median_of(std::vector<std::int64_t> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::int64_t far_beyond(std::int64_t value) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(value, kFar, &product) ? INT64_MAX : product;
}

// The largest interval that is no step of the clock: what is a thousand times longer than all rows took till then is one.
std::int64_t largest_gap(std::vector<std::int64_t> intervals, std::int64_t usual) {
  if (usual <= 0) {
    return INT64_MAX;
  }
  const auto far =
      std::partition(intervals.begin(), intervals.end(),
                     [most = far_beyond(usual)](std::int64_t interval) { return interval <= most; });
  std::int64_t own = 0;
  std::for_each(intervals.begin(), far,
                [&](std::int64_t interval) { own = interval > 0 ? time_after(own, interval) : own; });
  std::sort(far, intervals.end());
  for (auto at = far; at != intervals.end(); ++at) {
    if (*at > far_beyond(own)) {
      return *at - 1;
    }
    own = time_after(own, *at);
  }
  return INT64_MAX;
}

}  // namespace

std::int64_t time_after(std::int64_t time, std::int64_t step) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(time, step, &sum)) {
    return step > 0 ? INT64_MAX : INT64_MIN;
  }
  return sum;
}

std::int64_t time_between(std::int64_t later, std::int64_t earlier) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(later, earlier, &result)) {
    return later > earlier ? INT64_MAX : INT64_MIN;
  }
  return result;
}

ClockHabits habits_of(const TimeColumn& time, const std::vector<TimedRow>& rows) {
  ClockHabits habits;
  std::vector<std::int64_t> intervals;
  std::size_t on = 0;
  std::size_t back = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    intervals.push_back(time_between(rows[i].time, rows[i - 1].time));
    on += intervals.back() > 0 ? 1U : 0U;
    back += intervals.back() < 0 ? 1U : 0U;
  }
  habits.newest_first = back > on;
  if (habits.newest_first) {
    for (std::int64_t& interval : intervals) {
      interval = time_between(0, interval);
    }
  }
  habits.interval = std::max<std::int64_t>(median_of(intervals), 0);
  habits.in_order = std::min(on, back) * 4 <= on + back;
  // A time of day that is alone is never set: it continues the next day.
  if (time.kind != TimeColumn::Kind::kTimeOfDay) {
    habits.largest = largest_gap(std::move(intervals), habits.interval);
  }
  return habits;
}

// A time that went back because it began again at midnight, or at 0 after the largest number, as what it would be otherwise.
std::int64_t RunningClock::unwrapped(std::int64_t step) const {
  const std::int64_t second = time_.units_per_second;
  if (time_.kind == TimeColumn::Kind::kTimeOfDay) {
    return step < -kSecondsOfHour * second ? step + kSecondsOfDay * second : step;
  }
  if (time_.wraps_at == 0 || step >= 0) {
    return step;
  }
  const std::int64_t on = time_after(step, time_.wraps_at);
  return on >= 0 && on <= far_beyond(std::max<std::int64_t>(habits_.interval, 1)) ? on : step;
}

void RunningClock::take(std::int64_t time) {
  const std::int64_t now = habits_.newest_first ? time_between(0, time) : time;
  if (step_ == Step::kNone) {
    step_ = Step::kFirst;
    before_ = run_first_ = place_ = now;
    return;
  }
  interval_ = unwrapped(time_between(now, before_));
  before_ = now;
  step_ = interval_ < 0 ? Step::kBack : Step::kOn;
  const bool far_back =
      interval_ < 0 && (time_after(place_, interval_) <= run_first_ || interval_ / 2 <= -habits_.interval);
  if (habits_.in_order && (far_back || interval_ > habits_.largest)) {
    step_ = interval_ < 0 ? Step::kRestart : Step::kSet;
    interval_ = habits_.interval;
    run_first_ = time_after(place_, interval_);
  }
  place_ = time_after(place_, interval_);
}

}  // namespace mpq_tool
