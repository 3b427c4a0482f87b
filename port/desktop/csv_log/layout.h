// Where a CSV file has its names, its units and its rows, and what its cells stand between: as its first lines show it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cell_class.h"
#include "dialect.h"
#include "line_source.h"

namespace csv_log {

// What the command line says of it, and what an existing file does.
struct ToldLayout {
  Dialect dialect;
  bool delimiter_told = false;
  bool names_first = false;  // the first line that is not passed over has the names
  bool no_header = false;
  bool units_row = false;          // units stand under the names
  std::vector<std::string> names;  // of a file that is continued; a line that has them all has the names
  enum class Extra : std::uint8_t { kAsk, kFirst, kLast };
  Extra extra = Extra::kAsk;  // the columns that names are missing for
};

struct Layout {
  Dialect dialect;
  std::vector<std::string> names;  // as they are written, one for each column; empty where there is none
  std::vector<std::string> units;  // the same of their units; no elements: there is no such line
  bool has_header = true;
  std::size_t rows_before = 0;       // rows of the reader before the data
  std::uint64_t names_line = 0;      // 0: there is none
  std::uint64_t units_line = 0;      // 0: there is none
  std::uint64_t data_line = 0;       // of the first row; 0: none was seen
  std::size_t least_cells = 0;       // that a row has; those after them are null
  bool last_is_never_empty = false;  // the last cell of a row
  std::size_t extra_cells = 0;       // that rows have beyond the names
  std::vector<CellClass> classes;    // of each column; kText where it may hold anything
  std::vector<std::string> heading;  // all rows before the data, as key_of() them: they may come again
  std::vector<std::string> why;      // what shows it, in sentences
  std::size_t passed_over = 0;       // rows above the names
  std::size_t rivals = 0;            // of these, lines that could be the names as well
};

// A row's cells in one text, by which it is found again.
template <typename AnyRow>
std::string key_of(const AnyRow& row) {
  std::string key;
  for (std::size_t i = 0; i < row.size(); ++i) {
    key.append(row.cell(i)).push_back('\x1F');
  }
  while (!key.empty() && (key.back() == '\x1F' || key.back() == ' ')) {
    key.pop_back();
  }
  return key;
}

// `lines`: the first ones of the input.
Layout find_layout(const std::vector<std::string_view>& lines, const std::string& path,
                   const ToldLayout& told);

// The names that columns get: without spaces around, column_3 for the third if it has none, and NAME_2 for the second of one name.
std::vector<std::string> distinct_names(const std::vector<std::string>& written);

}  // namespace csv_log
