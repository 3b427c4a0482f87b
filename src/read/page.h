// From page to page of a column chunk.
#pragma once

#include "format/page_header_reader.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/reader.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes to the next page that has rows; pages of other kinds are passed over. The current page must be read
// out. A page that fails is begun again when the call is repeated.
// - kEnd: the chunk has no more rows
// - kCorrupt: there are bytes after the last value of the page
Status next_page(detail::ColumnCursor& column);

// Whether the page has a checksum that is to be compared.
inline bool is_checked(const detail::ColumnCursor& column, const format::PageHeader& header) {
  return header.has_crc && column.reader->options->checksum != nullptr;
}

// Compares the checksum of the page that is next in the window, if it has one, and stays there. A page that
// does not fit in the window passes through it; after a failure of the file that continues where it stopped.
// - kCorrupt: it is wrong
Status check_crc(detail::ColumnCursor& column, const format::PageHeader& header);

// Gives the definition levels, which are next in the page, to the level decoder, and passes them.
// - kCorrupt: they are longer than the page
Status open_levels(detail::ColumnCursor& column, const format::PageHeader& header);

// The same of levels in an encoding other than RLE, `count` of them.
// - kUnsupported: the options do not say how to read it
Status open_other_levels(detail::ColumnCursor& column, detail::LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count);

// Begins the bytes of the page that is next in the window: after its levels, decompressed.
Status begin_body(detail::ColumnCursor& column, const format::PageHeader& header);

}  // namespace microparquet::read
