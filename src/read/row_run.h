// Runs of equal rows in one column: values or nulls.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

struct RowRun {
  std::uint32_t rows = 0;
  std::uint8_t level = 0;
  bool null = false;
};

// Finds the next run of equal rows, at most `most`, within one page, and does not pass them.
// - kEnd: the chunk has no more rows, or the window is pinned and they are in the next page
Status peek_run(detail::ColumnCursor& column, std::uint32_t most, RowRun& run);

// Passes `rows` rows of the run; the decoder passes their values.
void pass_run(detail::ColumnCursor& column, std::uint32_t rows);

}  // namespace microparquet::read
