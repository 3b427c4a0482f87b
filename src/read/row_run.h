// Rows of one column that are alike: values, or nulls.
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

// The next rows that are alike, at most `most`, in one page. They are not passed.
// - kEnd: the chunk has no more rows, or the window is pinned and they are in the next page
Status peek_run(detail::ColumnCursor& column, std::uint32_t most, RowRun& run);

// Passes `rows` of those; values are passed by the decoder.
void pass_run(detail::ColumnCursor& column, std::uint32_t rows);

}  // namespace microparquet::read
