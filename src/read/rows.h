// Reading the rows of one column: one by one, in runs of equal values, in batches, or skipping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/try.h"
#include "microparquet/column_values.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// One column, row by row or many rows at once.

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

// Runs of equal rows in one column: values or nulls.

struct RowRun {
  std::uint32_t rows = 0;
  std::uint8_t level = 0;
  bool null = false;
};

// Finds the next run of equal rows, at most `most`, within one page, and does not pass them.
// - kEnd: the chunk has no more rows, or the window is pinned and they are in the next page
Status peek_run(detail::ColumnCursor& column, std::uint32_t most, RowRun& run);

// Passes `rows` rows of the run; the decoder passes their values.
void pass_run(detail::ColumnCursor& column, std::uint32_t rows);

// Passing rows of one column without showing their values.

// Passes the next `rows` rows, and each run of nulls in one step.
Status pass_rows(detail::ColumnCursor& column, std::uint64_t rows);

// Passing rows of one column, by whole pages where possible.

// Returns the number of rows that the column has left in its chunk.
inline std::uint64_t rows_left(const detail::ColumnCursor& column) {
  return column.chunk_rows + column.page_rows;
}

// Returns whether all chosen columns stand in this row group, have at least `left` rows left, and can
// continue row by row.
bool stands_before(const detail::ReaderState& state, std::uint32_t row_group, std::uint64_t left);

// Passes rows until `left` are left. Pages without any wanted row are passed by their headers, unread. Repeat
// it after a failure. Requires: at least `left` rows are left.
Status pass_to(detail::ColumnCursor& column, std::uint64_t left);

// Helpers that batches of rows and batches of items share. A batch holds values of one column.

// Adds `count` values of the open page to the batch, or as many nulls. The decoder may give fewer values:
// `count` becomes their number. All have the given levels, which the caller passes in the column afterwards.
inline Status add_alike(detail::ColumnCursor& column, bool null, std::uint8_t definition,
                        std::uint8_t repetition, AnyBatch& batch, std::uint32_t& count) {
  if (!null) {
    std::byte* const out = static_cast<std::byte*>(batch.values) + batch.value_count * batch_stride(column);
    MICROPARQUET_TRY(column.decoder->read(PageInput(column), out, count, count));
    batch.value_count += count;
  }
  if (batch.definition_levels != nullptr)
    std::memset(batch.definition_levels + batch.level_count, definition, count);
  if (batch.repetition_levels != nullptr)
    std::memset(batch.repetition_levels + batch.level_count, repetition, count);
  batch.level_count += count;
  return Status::kOk;
}

// Fills the batch of chosen column `i`. `add(column, most)` adds at least one row or item, and at most
// `most`. Requires: the batch is empty, and has places.
template <typename Add>
Status fill_batch(detail::ReaderState& state, std::size_t i, AnyBatch& batch, Add add) {
  constexpr std::size_t kMost = 0x40000000;
  const std::size_t wanted = batch.places < kMost ? batch.places : kMost;
  Status status = Status::kOk;
  while (batch.level_count < wanted && status == Status::kOk)
    status = add(state.columns[i], static_cast<std::uint32_t>(wanted - batch.level_count));
  // The error that stopped this batch is returned by the next call, whose batch stays empty.
  if (batch.level_count != 0) return Status::kOk;
  return report(state, static_cast<std::uint32_t>(i), status);
}

}  // namespace microparquet::read
