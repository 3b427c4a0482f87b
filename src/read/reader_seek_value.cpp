// Seeking to a row of one column by its number.
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/pass_pages.h"

namespace microparquet {

Status Reader::seek_value(std::size_t i, std::uint64_t row) {
  detail::ReaderState& state = state_;
  if (state.row_group == detail::kNoRowGroup || is_by_rows(state.mode)) return Status::kWrongState;
  if (i >= state.chosen || row > state.group_rows) return Status::kInvalidArgument;
  state.mode = detail::ReadingMode::kColumns;
  detail::ColumnCursor& column = state.columns[i];
  const std::uint64_t left = state.group_rows - row;
  if (column.chunk_status == Status::kCorrupt) return Status::kCorrupt;
  if (state.leaves[column.column].max_repetition != 0) return Status::kUnsupported;
  if (left > read::rows_left(column)) return Status::kInvalidArgument;
  column.pinned = false;
  return read::report(state, static_cast<std::uint32_t>(i), read::pass_to(column, left));
}

}  // namespace microparquet
