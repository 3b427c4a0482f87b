// The time of day, on a device that learns it some time after it was switched on.
#pragma once

#include <cstdint>
#include <string_view>

// Used by the main loop only.
class LogClock {
 public:
  // Counts the time since the device was switched on: `now_ms` may wrap, but not between two calls.
  void count(std::uint32_t now_ms) {
    up_ms_ += now_ms - now_ms_;
    now_ms_ = now_ms;
  }

  // Tells what time it is, in seconds since 1970, UTC. One before 1980 or after 2107 is ignored: a clock that does not run
  // yet. The first one says when the device was switched on, for good.
  void set(std::int64_t unix_s, std::uint32_t now_ms);

  // Returns the time in seconds since 1970; 0: it is not known.
  std::int64_t unix_s() const { return is_set_ ? (started_ms_ + up_ms_) / kMsPerS : 0; }

  // Returns when the device was switched on, "2026-11-22T08:00:00Z". It stays where it is. Empty: it is not known.
  std::string_view started_at() const { return {started_at_, is_set_ ? sizeof started_at_ : 0}; }

 private:
  static constexpr std::int64_t kMsPerS = 1'000;

  bool is_set_ = false;
  std::uint32_t now_ms_ = 0;
  std::int64_t up_ms_ = 0;
  std::int64_t started_ms_ = 0;  // since 1970
  char started_at_[sizeof "2026-11-22T08:00:00Z" - 1] = {};
};
