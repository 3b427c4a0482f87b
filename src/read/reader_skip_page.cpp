// Continuing after a corrupt page.
#include "base/try.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/corrupt_page.h"
#include "read/pass_pages.h"
#include "read/pass_rows.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;
using detail::ReadingMode;
using read::rows_left;

// Continues with the page after the corrupt one.
Status skip_corrupt(ColumnCursor& column) {
  const Status status = read::walk_headers(column);
  if (!read::is_damage(status) && status != Status::kOk) return status;
  read::leave_corrupt(column, status == Status::kOk);
  return Status::kOk;
}

// Skips the corrupt page of each column that has one; sets `any` if there is one.
Status skip_all_corrupt(ReaderState& state, bool& any) {
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    if (state.columns[i].chunk_status != Status::kCorrupt) continue;
    any = true;
    MICROPARQUET_TRY(read::report(state, i, skip_corrupt(state.columns[i])));
  }
  return Status::kOk;
}

// Returns the smallest number of rows left in a column that has not read the current row.
std::uint64_t fewest_left(const ReaderState& state) {
  std::uint64_t fewest = state.rows_left;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const ColumnCursor& column = state.columns[i];
    if (!column.fetched && rows_left(column) < fewest) fewest = rows_left(column);
  }
  return fewest;
}

// Passes rows until each column has `left` left.
// - kCorrupt: one of their pages is corrupt
Status align(ReaderState& state, std::uint64_t left) {
  forget_ready_rows(state);
  for (std::uint32_t i = 0; i < state.chosen; ++i) state.columns[i].fetched = false;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    ColumnCursor& column = state.columns[i];
    MICROPARQUET_TRY(read::report(state, i, read::pass_rows(column, rows_left(column) - left)));
  }
  return Status::kOk;
}

}  // namespace

Status Reader::skip_page(std::uint64_t& rows) {
  ReaderState& state = state_;
  if (state.row_group == detail::kNoRowGroup || state.mode != ReadingMode::kRows) return Status::kWrongState;
  bool any = false;
  std::uint64_t left = 0;
  for (Status status = Status::kCorrupt; status != Status::kOk;) {
    MICROPARQUET_TRY(skip_all_corrupt(state, any));
    left = fewest_left(state);
    if (left == 0 || left == state.rows_left) break;
    status = align(state, left);
    if (status != Status::kOk && status != Status::kCorrupt) return status;
  }
  if (!any && left == state.rows_left) return Status::kWrongState;
  rows = state.rows_left - left;
  state.rows_left = left;
  // Some columns may not have reached their end.
  if (left == 0 && rows != 0) state.mode = ReadingMode::kUndecided;
  return Status::kOk;
}

Status Reader::skip_page(std::size_t i, std::uint64_t& rows) {
  if (state_.row_group == detail::kNoRowGroup || state_.mode != ReadingMode::kColumns || i >= state_.chosen)
    return Status::kWrongState;
  ColumnCursor& column = state_.columns[i];
  // The number of items in a missing row is unknown, so repeated columns cannot continue here.
  if (column.chunk_status != Status::kCorrupt || state_.leaves[column.column].max_repetition != 0)
    return Status::kWrongState;
  const std::uint64_t before = rows_left(column);
  MICROPARQUET_TRY(read::report(state_, static_cast<std::uint32_t>(i), skip_corrupt(column)));
  rows = before - rows_left(column);
  return Status::kOk;
}

}  // namespace microparquet
