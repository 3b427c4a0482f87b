// Passing rows of one column, by whole pages where possible.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Returns the number of rows that the column has left in its chunk.
inline std::uint64_t rows_left(const detail::ColumnCursor& column) {
  return column.chunk_rows + column.page_rows;
}

// Returns whether all chosen columns stand in this row group, have at least `left` rows left, and can
// continue row by row.
bool stands_before(const detail::ReaderState& state, std::uint32_t row_group, std::uint64_t left);

// Passes rows until `left` are left. Pages without any wanted row are passed by their headers, unread. Repeat
// it after a failure. Requires: at least `left` rows are left.
Status pass_to(detail::ColumnCursor& column, std::uint64_t left);

}  // namespace microparquet::read
