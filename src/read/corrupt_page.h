// Continuing after a corrupt page.
#pragma once

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Returns whether the file itself is wrong: repeating the call gives the same status.
inline bool is_damage(Status status) { return status == Status::kCorrupt || status == Status::kUnsupported; }

// Leaves the corrupt page, and walks the headers of the pages after it up to the end of the chunk. Headers
// have no checksum, and one wrong number of values would shift all later rows: therefore the headers together
// must account for exactly the values that are left. Afterwards the column stands before the page that
// follows the corrupt one. Repeat it after a failure of the file.
// - kCorrupt: the headers have more or fewer values
Status walk_headers(detail::ColumnCursor& column);

// Continues there, or at the end of the chunk.
void leave_corrupt(detail::ColumnCursor& column, bool headers_are_right);

}  // namespace microparquet::read
