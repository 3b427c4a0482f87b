// One column, row by row or many rows at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Lets `value` of the column show its next row, and passes it.
// - kEnd: the chunk has no more rows
Status next_value(detail::ColumnCursor& column);

// Passes the next row, of any size.
Status skip_value(detail::ColumnCursor& column);

// Before rows, items or values of chosen column `i` alone are read.
inline Status enter_column(detail::ReaderState& state, std::size_t i) {
  using detail::ReadingMode;
  if (state.row_group == detail::kNoRowGroup || is_by_rows(state.mode)) return Status::kWrongState;
  if (i >= state.chosen) return Status::kInvalidArgument;
  state.mode = ReadingMode::kColumns;
  detail::ColumnCursor& column = state.columns[i];
  column.pinned = false;
  return column.chunk_status == Status::kCorrupt ? Status::kCorrupt : Status::kOk;
}

// Bytes from one value to the next in the array of a batch.
inline std::size_t batch_stride(const detail::ColumnCursor& column) {
  switch (column.type) {
    case Type::kBoolean: return sizeof(bool);
    case Type::kByteArray: return sizeof(std::string_view);
    default: return column.width;
  }
}

// Notes what the caller may ask about a call that failed in the chosen column `i`; gives `status` back.
Status report(detail::ReaderState& state, std::uint32_t i, Status status);

}  // namespace microparquet::read
