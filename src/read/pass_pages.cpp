#include "read/pass_pages.h"

#include "base/try.h"
#include "format/page_header_reader.h"
#include "read/page.h"
#include "read/pass_rows.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;

// Passes the next page by its header if all of it is among the `rows` that are to be passed.
Status pass_whole_page(ColumnCursor& column, std::uint64_t rows, bool& passed) {
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
  column.chunk_rows -= header.values;
  column.next_page = window.position();
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

}  // namespace

Status pass_to(ColumnCursor& column, std::uint64_t left) {
  while (rows_left(column) > left) {
    const std::uint64_t rows = rows_left(column) - left;
    if (column.page_rows > rows) return pass_rows(column, rows);
    if (column.page_rows != 0) {  // the rest of the page
      column.page_rows = 0;
      column.drop_body();
      continue;
    }
    bool passed = false;
    MICROPARQUET_TRY(pass_whole_page(column, rows, passed));
    // The page of the row that is wanted, a dictionary before it, or what next_page() has to look at.
    if (!passed) MICROPARQUET_TRY(next_page(column));
  }
  return Status::kOk;
}

}  // namespace microparquet::read
