// A line on the terminal that says how far a program is.
#pragma once

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace microparquet::text {

// Prints on standard error, and only when that is a terminal.
class ProgressLine {
 public:
  ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  // Cheap: prints ten times a second at the most. `total` 0: it is not known.
  void show(const std::string& what, std::uint64_t done, std::uint64_t total) {
    const Clock::time_point now = Clock::now();
    if (!terminal_ || now < next_) {
      return;
    }
    next_ = now + std::chrono::milliseconds(100);
    shown_ = true;
    if (total != 0) {
      const std::uint64_t percent = std::min<std::uint64_t>(done * 100 / total, 100);
      std::fprintf(stderr, "\r%3" PRIu64 " %%  %s\x1b[K", percent, what.c_str());
    } else {
      std::fprintf(stderr, "\r%s\x1b[K", what.c_str());
    }
  }

  // Leaves the line empty for what is printed next.
  void clear() {
    if (shown_) {
      std::fputs("\r\x1b[K", stderr);
      shown_ = false;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(300);  // short runs show nothing
};

}  // namespace microparquet::text
