// How often each interval from row to row comes, of a log however long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace mpq_tool {

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

}  // namespace mpq_tool
