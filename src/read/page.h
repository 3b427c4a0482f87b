// From page to page of a column chunk.
#pragma once

#include <cstdint>

#include "format/page_header_reader.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes to the next page that has rows; pages of other kinds are passed over. The page at hand must be read
// out.
// - kEnd: the chunk has no more rows
// - kCorrupt: there are bytes behind the last value of the page
Status next_page(detail::ColumnCursor& column);

// Before the levels of a V1 page: their length.
inline constexpr std::uint32_t kLevelLengthBytes = 4;

// How long the definition levels are: V2 says it in the header, V1 before them, which is passed.
Status level_bytes(detail::ColumnCursor& column, const format::PageHeader& header, std::uint32_t& bytes);

// Gives the next `bytes` bytes of the window, which are all there, to the level decoder, and passes them.
Status take_levels(detail::ColumnCursor& column, std::uint32_t bytes);

}  // namespace microparquet::read
