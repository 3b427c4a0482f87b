// A line on the terminal that says how far the program is.
#pragma once

#include <chrono>
#include <cstdint>

namespace csv_log {

// Prints on standard error, and only when that is a terminal.
class Progress {
 public:
  // `total_bytes` of input; 0 when they are not known.
  explicit Progress(std::uint64_t total_bytes);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // Cheap: prints ten times a second at the most.
  void show(std::uint64_t rows, std::uint64_t bytes_read);
  // Leaves the line empty for what is printed next.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  std::uint64_t total_bytes_;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(300);  // short runs show nothing
};

}  // namespace csv_log
