// From page to page of a column chunk.
#pragma once

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes to the next page that has rows; pages of other kinds are passed over. The page at hand must be read out.
// - kEnd: the chunk has no more rows
// - kCorrupt: there are bytes behind the last value of a page, or rows missing in the chunk
Status next_page(detail::ColumnCursor& column);

}  // namespace microparquet::read
