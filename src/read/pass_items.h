// Passing rows of a repeated column without reading their values.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Passes items of a repeated column until `left` rows are left, or up to the chunk's end. Pages of version 2
// are passed by their headers; in other pages the levels are read. Repeat it after a failure of the file.
// Requires: at least `left` rows have not begun.
// - kCorrupt: also if the chunk has fewer rows
Status pass_items_to(detail::ColumnCursor& column, std::uint64_t left);

}  // namespace microparquet::read
