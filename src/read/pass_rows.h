// Rows of one column that nobody looks at.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Passes the next `rows` rows, as many nulls at once as there are.
Status pass_rows(detail::ColumnCursor& column, std::uint64_t rows);

}  // namespace microparquet::read
