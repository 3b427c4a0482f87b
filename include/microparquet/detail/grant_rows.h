// What append() asks before it takes a row.
#pragma once

#include <cstddef>

#include "microparquet/detail/writer_state.h"

namespace microparquet::detail {

// Sees to it that at least one row fits in the open page of every column, byte arrays' values apart: closes
// pages, ends and begins row groups as needed. Sets the budget.
Status grant_rows(WriterState& state);

// Sees to it that a byte array of `bytes` bytes fits in `column`, and the rest of a row in the others. Other
// byte arrays are to be asked again after it. Requires: the budget is not 0.
Status grant_rows_for(WriterState& state, ColumnWriter& column, std::size_t bytes);

// Ends the open page of `column`, whose encoder does not accept a value for it, and sees to it that a row fits.
// Other columns are to be asked again after it. Requires: the budget is not 0.
Status grant_rows_after(WriterState& state, ColumnWriter& column);

}  // namespace microparquet::detail
