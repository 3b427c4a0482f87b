// Going from page to page of a column chunk.
#pragma once

#include "format/page_header_reader.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/reader.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes to the next page that has rows, passing pages of other kinds. The caller must have read all of the
// current page. Repeat a call that failed: it begins the same page again.
// - kEnd: the chunk has no more rows
// - kCorrupt: there are bytes after the last value of the page
Status next_page(detail::ColumnCursor& column);

// Returns whether the page has a checksum and the options ask for its comparison.
inline bool is_checked(const detail::ColumnCursor& column, const format::PageHeader& header) {
  return header.has_crc && column.reader->options->checksum != nullptr;
}

// Compares the checksum of the page that is next in the window, if it has one; the window stays before the
// page. A page larger than the window is read through it, and a repeated call continues where the file
// failed.
// - kCorrupt: the checksum is wrong
Status check_crc(detail::ColumnCursor& column, const format::PageHeader& header);

// Opens the definition levels at the current place of the page for the level decoder, and passes them.
// - kCorrupt: they are longer than the page
Status open_levels(detail::ColumnCursor& column, const format::PageHeader& header);

// Opens `count` levels in an encoding other than RLE.
// - kUnsupported: the options do not say how to read it
Status open_other_levels(detail::ColumnCursor& column, detail::LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count);

// Opens the page that is next in the window, decompressed and past its levels.
Status begin_body(detail::ColumnCursor& column, const format::PageHeader& header);

}  // namespace microparquet::read
