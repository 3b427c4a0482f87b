// One column, row by row or many rows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Sets `value` of the column to its next row, and passes the row.
// - kEnd: the chunk has no more rows
Status next_value(detail::ColumnCursor& column);

// Passes the next row, whatever its size.
Status skip_value(detail::ColumnCursor& column);

// Prepares chosen column `i` for reading its rows, items or values alone.
inline Status enter_column(detail::ReaderState& state, std::size_t i) {
  using detail::ReadingMode;
  if (state.row_group == detail::kNoRowGroup || is_by_rows(state.mode)) return Status::kWrongState;
  if (i >= state.chosen) return Status::kInvalidArgument;
  state.mode = ReadingMode::kColumns;
  detail::ColumnCursor& column = state.columns[i];
  column.pinned = false;
  return column.chunk_status == Status::kCorrupt ? Status::kCorrupt : Status::kOk;
}

// Returns the distance in bytes between two values in the array of a batch.
inline std::size_t batch_stride(const detail::ColumnCursor& column) {
  switch (column.type) {
    case Type::kBoolean: return sizeof(bool);
    case Type::kByteArray: return sizeof(std::string_view);
    default: return column.width;
  }
}

// Stores the details of a call that failed in chosen column `i`, for Reader::failure(); returns `status`.
Status report(detail::ReaderState& state, std::uint32_t i, Status status);

}  // namespace microparquet::read
