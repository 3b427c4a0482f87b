// Values of a type, read from the cells of a CSV file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "column_type.h"
#include "microparquet/writer.h"

namespace csv_log {

// The text without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

// Rules of the cells in a file.
struct CellRules {
  std::vector<std::string> nulls;  // beside empty cells and the usual spellings of no value
  bool decimal_comma = false;      // a number may have a comma for its point
};

// Empty, one of the rules', or a usual spelling of no value: NA, NULL, None, n/a, -, --, 1.#QNAN; also nan.
bool is_null(std::string_view text, const CellRules& rules);

// Whether a cell for which is_null() is true is nan, which a column of floating-point numbers keeps.
bool is_nan(std::string_view text, const CellRules& rules);

// Whether a number begins with a zero that its value does not show, as 007 does.
bool has_leading_zero(std::string_view text);

// A number whose comma is a decimal one, with a point for it. None: it has no comma, several, or a point.
std::optional<std::string> without_comma(std::string_view text);

// Whether it is a number in any form that a column may give it. Without spaces around it.
bool may_be_number(std::string_view text);

// The cell as it can be printed: in quotes, short, and without control characters.
std::string quoted(std::string_view text);

// Memory of a value whose bytes are not those of the cell.
using Scratch = std::array<char, 16>;

// Reads `text`, which is not null, as a `type`. The value may point into `text` and `scratch`. None when it
// does not parse, or is out of the type's range.
std::optional<microparquet::Value> parse_cell(std::string_view text, const ColumnType& type,
                                              const CellRules& rules, Scratch& scratch);

// Reads true or false (also True, TRUE, ...), for guessing.
std::optional<bool> parse_bool_word(std::string_view text);

// A number with all digits used up; a leading + is allowed. `out_of_range` tells a number that is too large
// from what is none; one that is too small for its type is 0, or the smallest that there is.
template <typename Number>
std::optional<Number> parse_number(std::string_view text, bool* out_of_range = nullptr);

}  // namespace csv_log
