// Storing many rows of an optional column at once, on desktops. The caller has one byte a row that says
// whether the row has a value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "microparquet/writer.h"

namespace microparquet::write {

// Puts `rows` rows; `values` has a place for each row, also for nulls, and valid[i] is 0 for a null. Returns
// false if the column must take rows one by one. Requires: the rows are within the budget.
[[maybe_unused]] bool put_valid_rows(detail::ColumnWriter& column, const std::byte* values,
                                     const std::uint8_t* valid, std::uint32_t rows);

// Sets the expected size of optional columns from the nulls in the first rows, before the first row group and
// if the options fix the rows of a row group.
[[maybe_unused]] void foresee_nulls(const detail::WriterState& state, const ColumnData* columns,
                                    std::size_t rows);

}  // namespace microparquet::write
