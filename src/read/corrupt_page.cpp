#include "read/corrupt_page.h"

#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/reader.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using format::PageHeader;
using format::PageType;

// Reads the next header and passes its page. `rows` becomes the number of rows in the page, at most `most`.
// After a failure the window stands before the page again.
// - kCorrupt: the header cannot be right
Status pass_next_page(detail::Window& window, std::uint64_t most, std::uint64_t& rows) {
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

// Leaves the corrupt page. If the page could not be opened, it becomes the current page with all of its rows.
Status leave_page(ColumnCursor& column) {
  const bool within = column.page_rows != 0 || column.available() != 0 || column.body_beyond != 0;
  Status status = Status::kOk;
  column.window.capacity = column.window_bytes();
  column.window.seek(column.next_page, column.window.limit);
  if (!within) {
    std::uint64_t rows = 0;
    status = pass_next_page(column.window, column.chunk_rows, rows);
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

}  // namespace

Status walk_headers(ColumnCursor& column) {
  if (!column.skipping) MICROPARQUET_TRY(leave_page(column));
  while (column.rows_ahead != 0) {
    std::uint64_t rows = 0;
    const Status status = pass_next_page(column.window, column.rows_ahead, rows);
    MICROPARQUET_TRY(status);
    column.rows_ahead -= rows;
  }
  return Status::kOk;
}

void leave_corrupt(ColumnCursor& column, bool headers_are_right) {
  // After a wrong header the rows of later pages are unknown.
  if (!headers_are_right) column.chunk_rows = 0;
  column.page_rows = 0;
  column.crc = 0;
  column.summed = 0;
  column.skipping = false;
  column.chunk_status = Status::kOk;
}

}  // namespace microparquet::read
