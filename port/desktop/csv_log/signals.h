// Signals that end the input, and not the program: what was read of it is completed.
#pragma once

#include <string>

#include "csv_failure.h"

namespace csv_log {

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
