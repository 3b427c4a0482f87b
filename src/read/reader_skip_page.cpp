// Continuing after a page that is corrupt.
#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/pass_pages.h"
#include "read/pass_rows.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;
using detail::ReadingMode;
using format::PageHeader;
using format::PageType;
using read::rows_left;

// Reads the header that is next in the window, and passes its page. `rows` becomes what it has of the `most`
// rows that are left. After a failure the page is still the next one.
// - kCorrupt: so it cannot be
Status pass_page(detail::Window& window, std::uint64_t most, std::uint64_t& rows) {
  const std::uint64_t begin = window.position();
  PageHeader header;
  Status status = format::read_page_header(window, header);
  const bool data = header.type == PageType::kData || header.type == PageType::kDataV2;
  rows = data ? header.values : 0;
  if (status == Status::kOk && rows > most) status = Status::kCorrupt;
  if (status == Status::kOk) status = window.skip(header.compressed_bytes);
  if (status != Status::kOk) window.seek(begin, window.limit);
  return status;
}

// Leaves the corrupt page. One that could not be begun is the current page then, with all of its rows.
Status leave_page(ColumnCursor& column) {
  const bool within = column.page_rows != 0 || column.available() != 0 || column.body_beyond != 0;
  Status status = Status::kOk;
  column.window.capacity = column.window_bytes();
  column.window.seek(column.next_page, column.window.limit);
  if (!within) {
    std::uint64_t rows = 0;
    status = pass_page(column.window, column.chunk_rows, rows);
    if (status == Status::kOk) {
      column.page_rows = static_cast<std::uint32_t>(rows);
      column.chunk_rows -= rows;
      column.next_page = column.window.position();
    }
  }
  column.drop_body();
  if (status != Status::kOk) return status;
  column.rows_ahead = column.chunk_rows;
  column.skipping = true;
  return Status::kOk;
}

// Walks the headers after the page to the end of the chunk. They have no checksum, and a wrong number of
// rows in one would shift the rows after it: so all of them together must have the rows that are left.
// - kCorrupt: they have not
Status walk_headers(ColumnCursor& column) {
  if (!column.skipping) MICROPARQUET_TRY(leave_page(column));
  while (column.rows_ahead != 0) {
    std::uint64_t rows = 0;
    const Status status = pass_page(column.window, column.rows_ahead, rows);
    MICROPARQUET_TRY(status);
    column.rows_ahead -= rows;
  }
  return Status::kOk;
}

// Continues after the corrupt page.
Status skip_corrupt(ColumnCursor& column) {
  const Status status = walk_headers(column);
  if (status != Status::kOk && status != Status::kCorrupt && status != Status::kUnsupported) return status;
  // Which rows the pages after a wrong header have is not known.
  if (status != Status::kOk) column.chunk_rows = 0;
  column.page_rows = 0;
  column.crc = 0;
  column.summed = 0;
  column.skipping = false;
  column.chunk_status = Status::kOk;
  return Status::kOk;
}

// Skips the pages that are known to be corrupt. `any` becomes true if there are.
Status skip_all_corrupt(ReaderState& state, bool& any) {
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    if (state.columns[i].chunk_status != Status::kCorrupt) continue;
    any = true;
    MICROPARQUET_TRY(read::report(state, i, skip_corrupt(state.columns[i])));
  }
  return Status::kOk;
}

// The fewest rows that are left in a column which does not have the current row.
std::uint64_t fewest_left(const ReaderState& state) {
  std::uint64_t fewest = state.rows_left;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const ColumnCursor& column = state.columns[i];
    if (!column.fetched && rows_left(column) < fewest) fewest = rows_left(column);
  }
  return fewest;
}

// Passes rows until `left` are left in each column.
// - kCorrupt: a page of one of them is
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
  // Some columns may not have been read to their end.
  if (left == 0 && rows != 0) state.mode = ReadingMode::kUndecided;
  return Status::kOk;
}

Status Reader::skip_page(std::size_t i, std::uint64_t& rows) {
  if (state_.row_group == detail::kNoRowGroup || state_.mode != ReadingMode::kColumns || i >= state_.chosen)
    return Status::kWrongState;
  ColumnCursor& column = state_.columns[i];
  // Of items it is not known how many belong to a row that is missing.
  if (column.chunk_status != Status::kCorrupt || state_.leaves[column.column].max_repetition != 0)
    return Status::kWrongState;
  const std::uint64_t before = rows_left(column);
  MICROPARQUET_TRY(read::report(state_, static_cast<std::uint32_t>(i), skip_corrupt(column)));
  rows = before - rows_left(column);
  return Status::kOk;
}

}  // namespace microparquet
