// What comes after a page that is corrupt.
#pragma once

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Whether the file is wrong, so that a call which is repeated says the same.
inline bool is_damage(Status status) { return status == Status::kCorrupt || status == Status::kUnsupported; }

// Leaves the corrupt page, and walks the headers after it to the end of the chunk. They have no checksum, and a wrong
// number of values in one would shift the rows after it: so all of them together must have the values that are left.
// After a failure of the file it may be repeated. The column stands before the page after it.
// - kCorrupt: they have not
Status walk_headers(detail::ColumnCursor& column);

// Continues there, or at the end of the chunk.
void leave_corrupt(detail::ColumnCursor& column, bool headers_are_right);

}  // namespace microparquet::read
