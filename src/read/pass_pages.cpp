#include "read/pass_pages.h"

#include "base/try.h"
#include "read/page.h"
#include "read/pass_page.h"
#include "read/pass_rows.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;

// Passes the next page if it is a data page with at most `rows` values.
Status pass_whole_page(ColumnCursor& column, std::uint64_t rows, bool& passed) {
  format::PageHeader header;
  return pass_page(column, header, passed, [rows](const format::PageHeader& page) {
    const bool data = page.type == format::PageType::kData || page.type == format::PageType::kDataV2;
    return data && page.values <= rows;
  });
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
    // Opens the page with the wanted row, or a dictionary before it, or a page that pass_page() left for
    // next_page() to report.
    if (!passed) MICROPARQUET_TRY(next_page(column));
  }
  return Status::kOk;
}

}  // namespace microparquet::read
