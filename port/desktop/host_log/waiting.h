// What host_log does beside its log: it waits, for a time or a signal, and it says things.
#pragma once

#include <chrono>
#include <string>

#include "microparquet/text/printed_text.h"

namespace host_log {

// What host_log says of itself: on standard error, with its name.
inline void tell(const std::string& message) {
  microparquet::text::print_line(microparquet::text::To::kErrors, "host_log: " + message);
}

// Waiting for a time, or for a signal that ends the log.

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
