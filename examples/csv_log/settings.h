// What the command line asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "column_type.h"
#include "encoding_options.h"
#include "microparquet/resolution.h"

namespace csv_log {

struct NamedType {
  std::string column;
  ColumnType type;
};

struct NamedResolution {
  std::string column;
  std::string step;  // as told
  microparquet::Resolution resolution;
};

struct NamedValue {
  std::string key;
  std::string value;
};

struct Settings : EncodingOptions {
  std::string input;   // "-": standard input
  std::string output;  // "-": standard output
  std::vector<NamedType> types;
  std::vector<NamedResolution> resolutions;
  std::vector<NamedValue> key_values;
  std::uint32_t rows_per_group = 0;          // 0: the library's choice
  std::size_t arena_bytes = 0;               // 0: as many as are needed
  std::uint64_t checkpoint_rows = 0;         // 0: not by rows
  std::optional<double> checkpoint_seconds;  // none: the library's choice; 0: not by time
  char delimiter = ',';
  bool overwrite = false;
  bool append = false;
  bool ack = false;
};

// Returns false when the program is to end with `exit_code`: help was asked for, or the command line is
// wrong, and the user knows. Throws Failure.
bool parse_command_line(int argc, char** argv, Settings& settings, int& exit_code);

}  // namespace csv_log
