// Seeking to a row by its number.
#include "base/try.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/pass_pages.h"

namespace microparquet {

namespace {

using detail::ReaderState;
using detail::ReadingMode;

// Leaves the current row group; it becomes the next one again.
void leave_row_group(ReaderState& state) {
  state.next_row_group = state.row_group;
  state.next_entry = state.entry_begin;
  state.row_group = detail::kNoRowGroup;
  state.rows_left = 0;
}

// Passes rows in all columns of the current row group until `left` are left.
Status pass_all_to(ReaderState& state, std::uint64_t left) {
  forget_ready_rows(state);
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const Status status = read::report(state, i, read::pass_to(state.columns[i], left));
    if (status == Status::kOk) continue;
    leave_row_group(state);
    return status;
  }
  for (std::uint32_t i = 0; i < state.chosen; ++i) state.columns[i].fetched = false;
  state.rows_left = left;
  state.mode = ReadingMode::kRows;
  return Status::kOk;
}

}  // namespace

bool read::stands_before(const ReaderState& state, std::uint32_t row_group, std::uint64_t left) {
  if (state.row_group != row_group || state.mode == ReadingMode::kColumns) return false;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const detail::ColumnCursor& column = state.columns[i];
    if (column.chunk_status == Status::kCorrupt || rows_left(column) < left) return false;
  }
  return true;
}

Status Reader::seek_row(std::uint64_t row) {
  ReaderState& state = state_;
  if (state.file == nullptr || state.chosen == 0) return Status::kWrongState;
  if (row >= state.file_rows) return Status::kInvalidArgument;
  MICROPARQUET_TRY(seek_row_group(0));
  while (row >= state.group_rows) {
    row -= state.group_rows;
    MICROPARQUET_TRY(seek_row_group(state.next_row_group));
  }
  return pass_all_to(state, state.group_rows - row);
}

Status Reader::seek_row(std::uint32_t row_group, std::uint64_t row) {
  ReaderState& state = state_;
  if (state.file == nullptr || state.chosen == 0) return Status::kWrongState;
  if (state.row_group != row_group) MICROPARQUET_TRY(seek_row_group(row_group));
  if (row >= state.group_rows) return Status::kInvalidArgument;
  const std::uint64_t left = state.group_rows - row;
  if (!read::stands_before(state, row_group, left)) MICROPARQUET_TRY(seek_row_group(row_group));
  return pass_all_to(state, left);
}

}  // namespace microparquet
