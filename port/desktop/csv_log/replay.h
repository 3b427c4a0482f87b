// Writes rows of text to a Parquet file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "csv_settings.h"
#include "microparquet/text/progress_line.h"
#include "output_file.h"
#include "signals.h"
#include "table_plan.h"
#include "table_rows.h"
#include "writer_setup.h"

namespace csv_log {

// Cells of a column that are null because they were not of its type.
struct BadCells {
  std::uint64_t count = 0;
  SeenCell first;
  std::vector<std::string> strangers;  // the last of a live log
};

// Why a log continues in another file.
enum class GoesOn : std::uint8_t {
  kNot,
  kWider,     // values of a column do not fit
  kNullable,  // a cell is empty in a column that has none
  kLonger,    // a text is longer than a page
  kFull,      // the file is at its limits
  kAgain,     // no log does: the types were those of the first rows, and a later one does not fit
};

// The outcome for the file.
struct Outcome {
  GoesOn goes_on = GoesOn::kNot;
  std::size_t column = 0;              // for which it continues
  std::vector<std::string> strangers;  // the column's last values that did not fit
  Row next;                            // the first row of the other file
  std::uint64_t rows = 0;
  std::uint64_t rows_before = 0;  // rows that an existing file had
  std::uint32_t row_groups = 0;
  std::uint64_t bytes = 0;
  std::size_t arena_bytes = 0;
  std::string stopped;              // why rows are missing, for the file; empty: none are
  std::string advice;               // advice to the user
  int signal = 0;                   // signal that ended it
  bool old_is_kept = false;         // the file that was to be replaced is as it was
  bool is_removed = false;          // a new file, since it is not complete
  std::vector<BadCells> bad_cells;  // bad cells of each column
  BadLines bad_lines;               // that were left out
  PassedOver passed_over;
  bool not_utf8 = false;  // it stopped at a text that is none
  bool has_name = true;   // else the file was removed, renamed or replaced meanwhile
};

// Writes `rows` into `output`, and leaves it a complete file whatever happens to the input. With `existing`,
// `output` is that file, open, and gets the rows after those it has. On the signals that interrupted()
// knows, it ends early, and leaves no part of a file that can be read again, unless rows were called durable
// or are to be added. Checkpoints fall due also while the input has nothing to give. Throws Failure when
// the output cannot be written.
// `first`: a row that comes before them; null: none. `by_first_rows`: the types are; where a later row shows that all rows would
// have given others, the file is discarded and the outcome says so.
Outcome replay(TableRows& rows, LineSource& lines, const TablePlan& plan, const Settings& settings,
               const ExistingFile* existing, Output& output, microparquet::text::ProgressLine& progress,
               Acknowledgement& acknowledgement, const Row* first, bool by_first_rows);

}  // namespace csv_log
