// Passing a page that nobody wants, by its header.
#pragma once

#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/column_cursor.h"

namespace microparquet::read {

// Passes the next page, whose `header` it reads, if all(header) says that all of it is to be passed: none of its body is
// read. Else the column is where it was, for next_page() or next_repeated_page() to open the page, or to say what is wrong.
template <typename All>
Status pass_page(detail::ColumnCursor& column, format::PageHeader& header, bool& passed, All all) {
  passed = false;
  detail::Window& window = column.window;
  // What is wrong with the page before is said when the next one is opened.
  if (column.available() != 0 || column.body_beyond != 0) return Status::kOk;
  MICROPARQUET_TRY(column.chunk_status);
  column.reason = FailureReason::kPageHeader;
  window.capacity = column.window_bytes();
  window.seek(column.next_page, window.limit);
  MICROPARQUET_TRY(format::read_page_header(window, header));
  if (header.values > column.chunk_rows || !all(header)) return Status::kOk;
  if (window.skip(header.compressed_bytes) != Status::kOk) return Status::kOk;
  passed = true;
  column.chunk_rows -= header.values;
  column.next_page = window.position();
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

}  // namespace microparquet::read
