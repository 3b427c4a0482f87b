// Reading rows: the next value of each chosen column.
#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/page.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;
using detail::ReadingMode;
using Step = Status (*)(ColumnCursor& column);

// Takes `step` in column `i`, unless its chunk is corrupt.
Status take_step(ReaderState& state, std::uint32_t i, Step step) {
  ColumnCursor& column = state.columns[i];
  Status status = column.chunk_status;
  if (status != Status::kCorrupt) status = step(column);
  return read::report(state, i, status);
}

// Checks that all columns end with the row group.
Status end_of_columns(ReaderState& state) {
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const Status status = take_step(state, i, &read::next_page);
    if (status != Status::kEnd) return status == Status::kOk ? Status::kCorrupt : status;
  }
  return Status::kOk;
}

// Goes to the row group of the next row.
Status enter_row_group(Reader& reader, ReaderState& state) {
  if (state.chosen == 0 || state.mode >= ReadingMode::kPassing) return Status::kWrongState;
  while (state.rows_left == 0) {
    if (state.mode == ReadingMode::kRows) MICROPARQUET_TRY(end_of_columns(state));
    MICROPARQUET_TRY(reader.next_row_group());
  }
  state.mode = ReadingMode::kRows;
  return Status::kOk;
}

// Takes `step` in each column. If a column fails, the row is kept: repeating the call continues with that
// column.
Status take_row(Reader& reader, ReaderState& state, Step step) {
  forget_ready_rows(state);
  MICROPARQUET_TRY(enter_row_group(reader, state));
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    ColumnCursor& column = state.columns[i];
    if (column.fetched) continue;
    const Status status = take_step(state, i, step);
    if (status != Status::kOk) return status == Status::kEnd ? Status::kCorrupt : status;
    column.fetched = true;
  }
  for (std::uint32_t i = 0; i < state.chosen; ++i) state.columns[i].fetched = false;
  --state.rows_left;
  return Status::kOk;
}

// Counts the rows whose values are loaded, one after the other, in every column: a budget as the writer's.
[[gnu::noinline, maybe_unused]] std::uint32_t count_ready(const ReaderState& state) {
  std::uint64_t rows = state.rows_left;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const ColumnCursor& column = state.columns[i];
    if (column.levels != nullptr || column.decoder != &kPlainFixedDecoder || column.width == 0) return 0;
    if (column.page_rows < rows) rows = column.page_rows;
    const std::size_t there = column.available() / column.width;
    if (there < rows) rows = there;
  }
  return static_cast<std::uint32_t>(rows);
}

// Shows the next row. The values are as long as those of the row before, so only their addresses change.
[[maybe_unused]] void take_ready_row(ReaderState& state) {
  --state.ready_rows;
  --state.rows_left;
  for (ColumnCursor *column = state.columns, *const end = column + state.chosen; column != end; ++column) {
    std::byte* const at = column->cursor;
    column->value = at;
    column->cursor = at + column->width;
    --column->page_rows;
  }
}

}  // namespace

Status Reader::next_row() {
  if constexpr (!detail::kDesktop) return take_row(*this, state_, &read::next_value);
  if (state_.ready_rows != 0) {
    take_ready_row(state_);
    return Status::kOk;
  }
  MICROPARQUET_TRY(take_row(*this, state_, &read::next_value));
  state_.ready_rows = count_ready(state_);
  return Status::kOk;
}

// Skips a row. A column that has passed the row has no value of it to show: until all have passed it, only
// skip_row() may continue.
Status Reader::skip_row() {
  if (state_.mode == ReadingMode::kPassing) state_.mode = ReadingMode::kRows;
  const Status status = take_row(*this, state_, &read::skip_value);
  const bool waits = status != Status::kOk && status != Status::kCorrupt && state_.mode == ReadingMode::kRows;
  if (waits && state_.columns[0].fetched) state_.mode = ReadingMode::kPassing;
  return status;
}

}  // namespace microparquet
