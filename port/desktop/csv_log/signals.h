// Signals to the program while it runs, and its reports of durable rows.
#pragma once

#include <cstdint>
#include <string>

#include "line_source.h"

namespace csv_log {

// Reports the rows that a crash can no longer take away.
class Acknowledgement {
 public:
  explicit Acknowledgement(bool wanted) : wanted_(wanted) {}

  // Prints "durable ROWS" on standard output when there are more than the last time.
  void say(std::uint64_t rows);
  // The file is complete with that many rows, and the log continues in another: they count on.
  void go_on(std::uint64_t rows) { before_ += rows; }

 private:
  std::uint64_t before_ = 0;  // rows of files before
  bool wanted_;
  std::uint64_t said_ = 0;
};

// Has SIGINT and SIGTERM end the input.
void end_input_on_signals();

// The signal that came, or 0.
int interrupted();

// "interrupted by SIGINT". Requires: interrupted() is not 0.
std::string interruption();

// A signal came before there was a row to write.
class Interrupted : public Failure {
 public:
  explicit Interrupted(const std::string& output)
      : Failure(interruption() + " before the first row; nothing was written to " + output) {}
};

}  // namespace csv_log
