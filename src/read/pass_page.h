// Passing a page by its header alone.
#pragma once

#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/column_cursor.h"

namespace microparquet::read {

// Reads the header of the next page, and passes the whole page if all(header) says so, without reading its
// body. Otherwise the column stays where it was: next_page() or next_repeated_page() opens the page, or
// reports what is wrong.
template <typename All>
Status pass_page(detail::ColumnCursor& column, format::PageHeader& header, bool& passed, All all) {
  passed = false;
  detail::Window& window = column.window;
  // Opening the next page reports errors of the page before.
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
