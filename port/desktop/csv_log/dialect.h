// How the lines of a CSV file are put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "line_source.h"

namespace csv_log {

struct Dialect {
  char delimiter = ',';
  std::uint64_t skipped_lines = 0;  // before the header
  std::string comment;              // lines that begin so are passed over; empty: none are

  // Whether line `number`, from 1, has no cells.
  bool passes_over(std::string_view line, std::uint64_t number) const {
    return number <= skipped_lines || (!comment.empty() && line.substr(0, comment.size()) == comment);
  }
};

// A semicolon, a tab or a bar, when the header has no comma, and it and the `rows` first rows have the same number of them;
// else a comma. Takes nothing of `lines`.
char found_delimiter(LineSource& lines, const Dialect& dialect, std::size_t rows);

// The mark that a file in UTF-8 may begin with taken off.
std::string_view without_mark(std::string_view first_line);

}  // namespace csv_log
