// SIGINT and SIGTERM, which ask a program to stop.
#pragma once

#include <csignal>
#include <string>

namespace microparquet::desktop {

// The signal that came, or 0.
inline volatile std::sig_atomic_t stop_signal = 0;

// Notes these signals from now on, which end the program no longer. A read that waits for input returns.
inline void note_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { stop_signal = signal; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// "interrupted by SIGINT". Requires: stop_signal is not 0.
inline std::string interruption() {
  return std::string("interrupted by ") + (stop_signal == SIGINT ? "SIGINT" : "SIGTERM");
}

}  // namespace microparquet::desktop
