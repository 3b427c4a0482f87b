// Continuing after a corrupt page of items.
#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/corrupt_page.h"
#include "read/items.h"
#include "read/pass_items.h"
#include "read/repeated_page.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::RepeatedLevels;

// Saved place of a column in its chunk, between two pages; go_to() returns there.
class PlaceInChunk {
 public:
  explicit PlaceInChunk(const ColumnCursor& column)
      : next_page_(column.next_page), chunk_rows_(column.chunk_rows), page_rows_(column.page_rows) {}

  void go_to(ColumnCursor& column) const {
    column.next_page = next_page_;
    column.chunk_rows = chunk_rows_;
    column.page_rows = page_rows_;
    column.crc = 0;
    column.summed = 0;
    column.drop_body();
  }

 private:
  std::uint64_t next_page_;
  std::uint64_t chunk_rows_;
  std::uint32_t page_rows_;
};

// Counts the rows that begin in the next page, of version 1, by reading its levels.
Status count_in_page(ColumnCursor& column, std::uint64_t& rows) {
  RepeatedLevels& levels = read::repeated_levels(column);
  levels.rows_after_page = detail::kUnknownRows;
  MICROPARQUET_TRY(read::next_repeated_page(column));
  while (column.page_rows != 0) {
    std::uint8_t level = 0;
    std::uint32_t alike = 0;
    MICROPARQUET_TRY(levels.repetition.peek(level, alike));
    if (alike > column.page_rows) alike = column.page_rows;
    levels.repetition.take(alike);
    column.page_rows -= alike;
    if (level == 0) rows += alike;
  }
  column.drop_body();
  return Status::kOk;
}

// Counts the rows that begin in the pages up to the chunk's end. Headers of version 2 have the number; in
// other pages the levels are read. Requires: their headers have been walked.
Status count_rows_ahead(ColumnCursor& column, std::uint64_t& rows) {
  rows = 0;
  column.page_rows = 0;
  while (column.chunk_rows != 0) {
    column.window.capacity = column.window_bytes();
    column.window.seek(column.next_page, column.window.limit);
    format::PageHeader header;
    MICROPARQUET_TRY(format::read_page_header(column.window, header));
    if (header.type == format::PageType::kDataV2) {
      rows += header.rows;
      column.chunk_rows -= header.values;
      column.next_page = column.window.position() + header.compressed_bytes;
    } else {
      MICROPARQUET_TRY(count_in_page(column, rows));
    }
  }
  return Status::kOk;
}

// Skips the corrupt page. Its own header may not have the number of rows, which is then what the row group
// has beyond all other pages. Items after the page that continue one of its rows are passed.
Status skip_corrupt_items(ColumnCursor& column) {
  MICROPARQUET_TRY(read::walk_headers(column));
  const PlaceInChunk after(column);
  RepeatedLevels& levels = read::repeated_levels(column);
  after.go_to(column);
  std::uint64_t rows = 0;
  column.chunk_status = Status::kOk;
  Status status = count_rows_ahead(column, rows);
  after.go_to(column);
  if (status == Status::kOk && rows > levels.rows_left) status = Status::kCorrupt;
  if (status == Status::kOk) {
    const std::uint64_t before = levels.rows_left;
    column.page_rows = 0;
    levels.items_left = column.chunk_rows;
    levels.rows_left = rows;
    levels.rows_after_page = detail::kUnknownRows;
    levels.last_definition = levels.maximum;  // unknown, so the largest
    status = read::pass_items_to(column, rows);
    if (status != Status::kOk) {
      after.go_to(column);
      levels.rows_left = before;
    }
  }
  if (status != Status::kOk) column.chunk_status = Status::kCorrupt;
  return status;
}

}  // namespace

Status Reader::skip_page_of_items(std::size_t i, std::uint64_t& rows) {
  detail::ReaderState& state = state_;
  if (state.row_group == detail::kNoRowGroup || state.mode != detail::ReadingMode::kColumns ||
      i >= state.chosen)
    return Status::kWrongState;
  ColumnCursor& column = state.columns[i];
  if (state.leaves[column.column].max_repetition == 0) return skip_page(i, rows);
  if (column.chunk_status != Status::kCorrupt) return Status::kWrongState;
  RepeatedLevels& levels = read::repeated_levels(column);
  const std::uint64_t before = levels.rows_left;
  const read::ItemsOf items(column);
  const Status status = skip_corrupt_items(column);
  if (status != Status::kOk && !read::is_damage(status)) {
    return read::report(state, static_cast<std::uint32_t>(i), status);
  }
  if (status == Status::kOk) {
    column.skipping = false;
  } else {
    read::leave_corrupt(column, false);
    levels.items_left = 0;
    levels.rows_left = 0;
    levels.rows_after_page = detail::kUnknownRows;
  }
  rows = before - levels.rows_left;
  return Status::kOk;
}

}  // namespace microparquet
