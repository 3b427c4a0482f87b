// Settings that the command line asks for.
#pragma once

#include <optional>
#include <string>

#include "encoding_options.h"

namespace host_log {

struct Settings : EncodingOptions {
  std::string output;
  double hz = 10;
  double seconds = 0;                        // 0: until a signal
  std::optional<double> checkpoint_seconds;  // none: the library's choice
  bool overwrite = false;
  bool append = false;
  bool ack = false;
};

// Returns false when the program is to end with `exit_code`: help was asked for, or the command line is
// wrong, and the user knows.
bool parse_command_line(int argc, char** argv, Settings& settings, int& exit_code);

}  // namespace host_log
