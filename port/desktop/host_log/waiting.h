// Waiting for a time or a signal, and host_log's own messages.
#pragma once

#include <chrono>
#include <string>

#include "microparquet/text/printed_text.h"

namespace host_log {

// Prints a message of host_log on standard error, with its name.
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
