// What the command line asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace host_log {

enum class Encoding { kPlain, kAuto };

struct Settings {
  std::string output;
  double hz = 10;
  double seconds = 0;                        // 0: until a signal
  std::optional<double> checkpoint_seconds;  // none: the library's choice
  Encoding encoding = Encoding::kPlain;
  std::uint32_t page_bytes = 0;  // 0: 512, 1024 with kAuto
  bool overwrite = false;
  bool append = false;
  bool ack = false;
};

// Returns false when the program is to end with `exit_code`: help was asked for, or the command line is
// wrong, and the user knows.
bool parse_command_line(int argc, char** argv, Settings& settings, int& exit_code);

}  // namespace host_log
