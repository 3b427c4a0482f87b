// A line on the terminal that says how far a program is.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "microparquet/text/printed_text.h"

namespace microparquet::text {

// Prints on standard error, and only when that is a terminal; never more than fits in one line of it, so that
// the next one takes its place.
class ProgressLine {
 public:
  using Milliseconds = std::chrono::milliseconds;

  // `period`: between what is shown; `wait`: before the first, so that short runs show nothing.
  explicit ProgressLine(Milliseconds period = Milliseconds(100), Milliseconds wait = Milliseconds(300))
      : terminal_(is_terminal(To::kErrors)), period_(period), next_(Clock::now() + wait) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  // Whether it is time for a line: what it is to say need not be made before.
  bool is_due() const { return terminal_ && Clock::now() >= next_; }

  // Prints text, when it is due.
  void show(std::string_view text) {
    if (!is_due()) {
      return;
    }
    next_ = Clock::now() + period_;
    shown_ = true;
    print_over(text);
  }

  // The same after a percentage, and with the time that is left; without both where `total` is 0: it is not known.
  void show(const std::string& what, std::uint64_t done, std::uint64_t total) {
    if (total == 0 || !is_due()) {
      show(what);
      return;
    }
    const std::string percent = std::to_string(std::min<std::uint64_t>(done * 100 / total, 100));
    show(std::string(3 - percent.size(), ' ') + percent + " %  " + what + time_left(done, total));
  }

  // What comes next begins at nothing again.
  void begin_again() { begin_ = Clock::now(); }

  // Leaves the line empty for what is printed next.
  void clear() {
    if (shown_) {
      print_over({});
      shown_ = false;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  // ", 12 s left", once that can be said.
  std::string time_left(std::uint64_t done, std::uint64_t total) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (done == 0 || seconds < 1) {
      return {};
    }
    const double left =
        seconds * static_cast<double>(total - std::min(done, total)) / static_cast<double>(done);
    return ", " + std::to_string(static_cast<std::uint64_t>(left) + 1) + " s left";
  }

  Clock::time_point begin_ = Clock::now();
  bool terminal_;
  bool shown_ = false;
  Milliseconds period_;
  Clock::time_point next_;
};

}  // namespace microparquet::text
