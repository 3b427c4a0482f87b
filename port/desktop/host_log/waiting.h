// Waiting for a time, or for a signal that ends the log.
#pragma once

#include <chrono>

namespace host_log {

using Clock = std::chrono::steady_clock;

inline Clock::duration seconds(double count) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
}

// SIGINT, SIGTERM and SIGHUP stay blocked from here on: wait_until() takes them where the program expects
// them.
void block_ending_signals();

// Returns false when such a signal came first.
bool wait_until(Clock::time_point time);

}  // namespace host_log
