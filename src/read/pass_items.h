// Rows of a repeated column that nobody looks at.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Passes items of a repeated column until the row begins that has `left` rows from it on, or until the chunk's end.
// Pages of version 2 are passed by their headers, of others the levels are read. After a failure of the file it may be
// repeated. Requires: no fewer rows than `left` have not begun.
// - kCorrupt: also where there are not as many rows
Status pass_items_to(detail::ColumnCursor& column, std::uint64_t left);

}  // namespace microparquet::read
