// Functions that make space before append() takes a row.
#pragma once

#include <cstddef>

#include "microparquet/detail/writer_state.h"

namespace microparquet::detail {

// Makes sure that at least one row fits in the open page of every column, apart from byte arrays' values: it
// closes pages, ends and begins row groups as needed. Sets the budget.
Status grant_rows(WriterState& state);

// Makes sure that a byte array of `bytes` bytes fits in `column`, and the rest of a row in the others. The
// caller must check other byte arrays again. Requires: the budget is not 0.
Status grant_rows_for(WriterState& state, ColumnWriter& column, std::size_t bytes);

// Ends the open page of `column`, whose encoder refuses a value for it, and makes sure that a row fits. The
// caller must ask other columns again. Requires: the budget is not 0.
Status grant_rows_after(WriterState& state, ColumnWriter& column);

}  // namespace microparquet::detail
