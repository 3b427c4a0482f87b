// Seeking to a row by its number: whole pages are skipped by their headers.
#include "base/try.h"
#include "microparquet/detail/nested_rows.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/reader.h"
#include "microparquet/records.h"
#include "read/items.h"
#include "read/rows.h"

namespace microparquet {

// Seeking to a row by its number.

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

// Seeking to a row of one column by its number.

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

// Seeking to a row of one repeated column by its number.

Status Reader::seek_items(std::size_t i, std::uint64_t row) {
  detail::ReaderState& state = state_;
  MICROPARQUET_TRY(read::enter_column(state, i));
  if (row > state.group_rows) return Status::kInvalidArgument;
  detail::ColumnCursor& column = state.columns[i];
  if (state.leaves[column.column].max_repetition == 0) return seek_value(i, row);
  read::ItemsOf(column).begin();
  const std::uint64_t left = state.group_rows - row;
  if (left > read::repeated_levels(column).rows_left) return Status::kInvalidArgument;
  return read::report(state, static_cast<std::uint32_t>(i), read::pass_items_to(column, left));
}

// Seeking to a row of events by its number.

// Begins the row group again: each column may already have loaded an item of the next row.
Status Records::seek_row(std::uint32_t row_group, std::uint64_t row) {
  if (leaf_count_ == 0) return Status::kWrongState;
  MICROPARQUET_TRY(seek_row_group(row_group));
  if (row >= rows_left_) return Status::kInvalidArgument;
  for (std::uint32_t i = 0; i < leaf_count_; ++i) {
    const Status status = reader_.seek_items(leaves_[i].place, row);
    if (status == Status::kOk) continue;
    lost_ = true;
    return status;
  }
  rows_left_ -= row;
  return Status::kOk;
}

}  // namespace microparquet

namespace microparquet::detail {

// Seeking to a row of nested columns by its number.

// A failure leaves the columns at different rows; `at_` says so, and no row can be read.
Status NestedRows::seek_row(std::uint32_t row_group, std::uint64_t row) {
  if (plan_ == nullptr) return Status::kWrongState;
  const bool there = at_ != At::kNoFile && in_row_group_ && reader_->row_group() == row_group;
  const bool passed = !there || row < reader_->row_group_rows() - rows_left_;
  if (passed) MICROPARQUET_TRY(seek_row_group(row_group));
  if (row >= reader_->row_group_rows()) return Status::kInvalidArgument;
  at_ = At::kNoFile;
  for (std::uint32_t i = 0; i < plan_->leaves.size(); ++i) MICROPARQUET_TRY(reader_->seek_items(i, row));
  at_ = At::kBetweenRows;
  rows_left_ = reader_->row_group_rows() - row;
  return Status::kOk;
}

}  // namespace microparquet::detail
