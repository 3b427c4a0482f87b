// One column, row by row or many rows at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Lets `value` of the column show its next row, and passes it.
// - kEnd: the chunk has no more rows
Status next_value(detail::ColumnCursor& column);

// Passes the next row, of any size.
Status skip_value(detail::ColumnCursor& column);

}  // namespace microparquet::read
