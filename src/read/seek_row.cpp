// Rows by their numbers.
#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/pass_rows.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;

// Passes the next page by its header if all of it is among the `rows` that are to be passed.
Status pass_whole_page(ColumnCursor& column, std::uint64_t& rows, bool& passed) {
  passed = false;
  detail::Window& window = column.window;
  // What is wrong with the page before, next_page() says.
  if (column.available() != 0 || column.body_beyond != 0) return Status::kOk;
  MICROPARQUET_TRY(column.chunk_status);
  column.reason = FailureReason::kPageHeader;
  window.capacity = column.window_bytes();
  window.seek(column.next_page, window.limit);
  format::PageHeader header;
  MICROPARQUET_TRY(format::read_page_header(window, header));
  const bool data = header.type == format::PageType::kData || header.type == format::PageType::kDataV2;
  if (!data || header.values > rows || header.values > column.chunk_rows) return Status::kOk;
  if (window.skip(header.compressed_bytes) != Status::kOk) return Status::kOk;
  passed = true;
  rows -= header.values;
  column.chunk_rows -= header.values;
  column.next_page = window.position();
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

Status pass_rows(ColumnCursor& column, std::uint64_t rows) {
  while (rows != 0) {
    bool passed = false;
    MICROPARQUET_TRY(pass_whole_page(column, rows, passed));
    if (passed) continue;
    // The page of the row that is wanted, a dictionary before it, or what next_page() has to look at.
    MICROPARQUET_TRY(read::pass_rows(column, 1));
    --rows;
    const std::uint64_t in_page = column.page_rows < rows ? column.page_rows : rows;
    MICROPARQUET_TRY(read::pass_rows(column, in_page));
    rows -= in_page;
  }
  return Status::kOk;
}

// The current row group is the next one again.
void leave_row_group(ReaderState& state) {
  state.next_row_group = state.row_group;
  state.next_entry = state.entry_begin;
  state.row_group = detail::kNoRowGroup;
  state.rows_left = 0;
}

}  // namespace

Status Reader::seek_row(std::uint64_t row) {
  ReaderState& state = state_;
  if (state.file == nullptr || state.chosen == 0) return Status::kWrongState;
  if (row >= state.file_rows) return Status::kInvalidArgument;
  MICROPARQUET_TRY(seek_row_group(0));
  while (row >= state.group_rows) {
    row -= state.group_rows;
    MICROPARQUET_TRY(seek_row_group(state.next_row_group));
  }
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const Status status = read::report(state, i, pass_rows(state.columns[i], row));
    if (status == Status::kOk) continue;
    leave_row_group(state);
    return status;
  }
  state.rows_left -= row;
  state.mode = detail::ReadingMode::kRows;
  return Status::kOk;
}

}  // namespace microparquet
