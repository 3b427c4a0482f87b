// The columns of the Parquet file to be, before its first row is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "column_type.h"
#include "csv_reader.h"
#include "csv_settings.h"
#include "microparquet/resolution.h"
#include "microparquet/text/progress_line.h"
#include "type_guess.h"

namespace csv_log {

struct ColumnPlan {
  std::string name;
  std::size_t cell = 0;  // number of the cell in a row
  ColumnType type;
  bool type_told = false;  // --type names the type
  bool optional = true;
  bool has_values = true;   // false: none in all of the rows
  std::size_t longest = 0;  // bytes of the longest cell seen
  std::optional<Reason> text_because = {};
  std::optional<Reason> read_by = {};  // the cell that shows how its dates or numbers are written
  microparquet::Resolution resolution = {};
};

struct TablePlan {
  std::vector<ColumnPlan> columns;
  std::size_t cells = 0;          // cells of each row
  std::vector<NamedValue> units;  // units in the row under the header, as key-values
  CellRules cell_rules;
  std::uint64_t rows = 0;  // seen
};

// Reads the header line, and the units under it if there are any. Throws Failure when there is none, or when names are
// missing, double or not UTF-8, or when the command line names a column that is not there.
TablePlan read_header(CsvReader& reader, const Settings& settings);

// Reads rows until the end, the first bad row, or `limit` rows, and settles the columns' types by them. With
// `kept`, the rows read are put there. A column of which all rows were seen is optional only when it has
// nulls. `bytes` of input there are; 0: it is not known.
void settle_types(CsvReader& reader, TablePlan& plan, const Settings& settings, std::uint64_t limit,
                  std::vector<Row>* kept, std::uint64_t bytes, microparquet::text::ProgressLine& progress);

}  // namespace csv_log
