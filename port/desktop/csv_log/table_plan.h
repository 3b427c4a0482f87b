// The columns of the Parquet file to be, before its first row is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "column_type.h"
#include "csv_settings.h"
#include "layout.h"
#include "microparquet/resolution.h"
#include "microparquet/text/progress_line.h"
#include "table_rows.h"
#include "type_guess.h"

namespace csv_log {

struct ColumnPlan {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string name;
  std::size_t cell = 0;             // number of the cell in a row
  std::size_t second_cell = kNone;  // a date's time of day in another cell
  ColumnType type;
  bool type_told = false;                 // --type names the type
  DateOrder dates = DateOrder::kUnknown;  // as the command line or the header says
  DateForm date_form = {};                // of its dates
  bool open = false;                      // further rows may give it another type than its misfits would show
  bool is_unnamed = false;                // the header has no name for it
  bool has_cell_units = false;            // text, in which a label or a unit stands beside each number
  bool undecided_date = false;            // nothing shows whether the day or the month comes first
  std::vector<std::vector<std::string>> undecided_numbers =
      {};  // the options of which one says how numbers are written
  bool optional = true;
  bool has_values = true;   // false: none in all of the rows
  std::size_t longest = 0;  // bytes of the longest cell seen
  std::optional<Reason> text_because = {};
  std::vector<Word> words = {};  // that make text of a column which would be `without_words`
  std::optional<ColumnType> without_words = {};
  std::optional<Reason> read_by = {};  // the cell that shows how its dates or numbers are written
  microparquet::Resolution resolution = {};

  // The column's text in a row; `joined` is memory for it.
  std::string_view text_in(const Row& row, std::string& joined) const {
    return second_cell == kNone ? row.cell(cell) : text_of_both(row, joined);
  }

 private:
  std::string_view text_of_both(const Row& row, std::string& joined) const;
};

// Lines that are no rows.
struct BadLines {
  std::uint64_t count = 0;
  std::uint64_t first_line = 0;
  std::string first_why;
};

struct TablePlan {
  std::vector<ColumnPlan> columns;
  std::size_t cells = 0;             // cells of each row
  std::vector<NamedValue> units;     // units of the header, as key-values
  std::vector<std::string> renamed;  // names that several columns had
  CellRules cell_rules;
  char delimiter = ',';
  bool all_seen = false;   // types come from all rows
  std::uint64_t rows = 0;  // seen
  BadLines bad_lines;      // seen
  PassedOver passed_over;  // seen
};

void note_bad_line(BadLines& bad, const TableRows& rows, const Row& row);

// The part of the settings that is about the layout of the file. `names`: those of the file that is continued.
ToldLayout told_layout(const Settings& settings, const std::vector<std::string>& names);

// The columns that the layout has, with the types and the choice of the command line. Throws Failure when there are no names,
// or when names are not UTF-8, or when the command line names a column that is not there.
TablePlan plan_table(const Layout& layout, const Settings& settings);

// Reads rows until the end, or a signal, and settles the columns' types by them. `all`: these are all rows; then a column is
// optional only when it has nulls. `bytes` of input there are; 0: it is not known.
void settle_types(TableRows& rows, TablePlan& plan, const Settings& settings, bool all, std::uint64_t bytes,
                  microparquet::text::ProgressLine& progress);

}  // namespace csv_log
