// Rows of one column that nobody looks at, whole pages at once.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Rows that the column has left in its chunk.
inline std::uint64_t rows_left(const detail::ColumnCursor& column) {
  return column.chunk_rows + column.page_rows;
}

// Whether all chosen columns stand in that row group, where `left` rows are left or before, and can continue by
// rows.
bool stands_before(const detail::ReaderState& state, std::uint32_t row_group, std::uint64_t left);

// Passes rows until `left` are left: pages that have none of these by their headers, what is in them is not
// read. After a failure it may be repeated. Requires: no fewer are left.
Status pass_to(detail::ColumnCursor& column, std::uint64_t left);

}  // namespace microparquet::read
