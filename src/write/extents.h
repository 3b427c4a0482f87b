// How large a row group shall be, and how its bytes are shared out among the columns.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Sets extent_bytes of every column for a row group of about `target_bytes`, or of Options::row_group_rows
// where that is less. The sum of the extents, which are whole sectors.
std::uint32_t plan_extents(detail::WriterState& state, std::uint32_t target_bytes);

// Before the first row group: what a row of the column is expected to need.
void expect_bytes_per_row(detail::ColumnWriter& column);

// After a row group: what its rows did need.
void learn_bytes_per_row(detail::WriterState& state);

// The column whose extent lies last in the row group and may grow: the one that is hardest to foresee.
std::uint32_t most_variable_column(const detail::WriterState& state);

}  // namespace microparquet::write
