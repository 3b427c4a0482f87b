#include "waiting.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace host_log {

namespace {

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

void block_ending_signals() {
  const sigset_t signals = ending_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
}

bool wait_until(Clock::time_point time) {
  const sigset_t signals = ending_signals();
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(time - Clock::now()).count();
    constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
    timespec timeout = {};
    if (left > 0) {
      timeout.tv_sec = static_cast<time_t>(left / kNanosPerSecond);
      timeout.tv_nsec = static_cast<long>(left % kNanosPerSecond);
    }
    if (sigtimedwait(&signals, nullptr, &timeout) > 0) {
      return false;
    }
    if (errno == EAGAIN) {
      return true;
    }
  }
}

}  // namespace host_log
