// Passing rows of one column without showing their values.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Passes the next `rows` rows, and each run of nulls in one step.
Status pass_rows(detail::ColumnCursor& column, std::uint64_t rows);

}  // namespace microparquet::read
