// The characters that divide a CSV file into lines and cells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace csv_log {

struct Dialect {
  char delimiter = ',';             // a space: cells are parted by runs of spaces
  std::size_t spaces = 1;           // the shortest run that parts cells, where the delimiter is a space
  bool one_column = false;          // an empty line is an empty cell
  bool quoted_lines = false;        // each line as a whole stands in quotes
  bool has_arrows = false;          // a time and " -> " stand before each line, as a serial monitor puts them
  std::uint64_t skipped_lines = 0;  // before the header
  std::uint64_t lines_before = 0;   // of the file, before those that are read
  std::string comment;              // lines that begin so are passed over; empty: none are

  // Whether line `number`, from 1, has no cells.
  bool passes_over(std::string_view line, std::uint64_t number) const {
    return number <= skipped_lines || (!comment.empty() && line.substr(0, comment.size()) == comment);
  }
};

// "tabs", "semicolons": what cells stand between.
std::string name_of_delimiter(const Dialect& dialect);

// The character as --delimiter takes it.
std::string option_of_delimiter(const Dialect& dialect);

}  // namespace csv_log
