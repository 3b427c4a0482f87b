// From page to page of a column chunk.
#pragma once

#include "format/page_header_reader.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes to the next page that has rows; pages of other kinds are passed over. The page at hand must be read
// out. A page that fails is begun anew when the call is repeated.
// - kEnd: the chunk has no more rows
// - kCorrupt: there are bytes behind the last value of the page
Status next_page(detail::ColumnCursor& column);

// Compares the checksum of the page that is next in the window, if it has one, and stays there. A page that
// does not fit in the window passes through it; after a failure of the file that goes on where it stopped.
// - kCorrupt: it is wrong
Status check_crc(detail::ColumnCursor& column, const format::PageHeader& header);

// Gives the definition levels, which are next in the window and all there, to the level decoder, and passes
// them.
// - kCorrupt: they are longer than the page
Status begin_levels_in_window(detail::ColumnCursor& column, const format::PageHeader& header);

}  // namespace microparquet::read
