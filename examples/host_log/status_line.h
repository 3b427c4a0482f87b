// The last sample on the terminal, in one line.
#pragma once

#include <chrono>
#include <cstdint>

#include "sample.h"

namespace host_log {

// Prints on standard error, and only when that is a terminal.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { clear(); }

  // Prints five times a second at the most.
  void show(const Sample& sample, std::uint64_t rows);
  // Leaves the line empty for what is printed next.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_ = Clock::now();
};

}  // namespace host_log
