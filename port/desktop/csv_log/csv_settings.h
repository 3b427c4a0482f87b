// Settings that the command line asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cell.h"
#include "column_type.h"
#include "dialect.h"
#include "encoding_options.h"
#include "layout.h"
#include "line_source.h"
#include "microparquet/resolution.h"

namespace csv_log {

struct NamedType {
  std::string column;
  ColumnType type;
};

struct NamedResolution {
  std::string column;
  std::string step;  // text on the command line
  microparquet::Resolution resolution;
};

struct NamedValue {
  std::string key;
  std::string value;
};

constexpr std::size_t kMaxKeyValues = 254;  // most key-values of a file, without the reason why it stopped

struct Settings : EncodingOptions {
  std::string input;         // "-": standard input
  std::string output;        // "-": standard output
  std::string first_output;  // as the command line has it, where a live log continues in another file
  std::vector<NamedType> types;
  std::vector<NamedResolution> resolutions;
  std::vector<NamedValue> key_values;
  std::uint32_t rows_per_group = 0;          // 0: the library's choice
  std::uint32_t file_id = 0;                 // 0: a random one
  std::size_t arena_bytes = 0;               // 0: as many as are needed
  std::uint64_t checkpoint_rows = 0;         // 0: not by rows
  std::optional<double> checkpoint_seconds;  // none: the library's choice; 0: not by time
  Dialect dialect;
  bool delimiter_told = false;
  bool latin1 = false;   // lines that are no UTF-8
  unsigned table = 0;    // of several in IN, which one; 0: each in a file of its own
  FilePart part;         // of IN, that has the table
  bool is_part = false;  // `part` is known
  CellRules cell_rules;
  std::optional<bool> decimal_comma;      // none: as the cells show it
  char thousands = '\0';                  // separator of thousands; '\0': as the cells show it
  DateOrder dates = DateOrder::kUnknown;  // order of dates in all columns; otherwise as the cells of each
                                          // show it
  std::vector<std::string> columns;       // list of --columns; empty: all
  bool units_row = false;                 // the row under the header
  bool no_header = false;                 // the first line is a row
  bool cell_units = false;                // numbers have a label or a unit beside them
  ToldLayout::Extra unnamed = ToldLayout::Extra::kAsk;  // columns that the header has no names for
  std::string time_from;                                // "DATE,TIME": two columns that make one; empty: none
  std::vector<NamedValue> units;                        // of columns, by --unit
  bool structs = false;                                 // names with dots are members of structs
  bool bad_null = false;             // cells that are not of their column's type become null
  bool skip_bad_lines = false;       // lines that are no rows are left out
  bool explain = false;              // print how IN is read, and write nothing
  std::vector<std::string> options;  // all words of the command line but IN and OUT
  bool overwrite = false;
  bool append = false;
  bool ack = false;
};

// Returns false when the program is to end with `exit_code`: help was asked for, or the command line is
// wrong, and the user knows. Throws Failure.
bool parse_command_line(int argc, char** argv, Settings& settings, int& exit_code);

}  // namespace csv_log
