// Where a column's page index and bloom filter lie in the current row group.
#pragma once

#include <cstdint>

#include "format/index_places_reader.h"
#include "format/page_header_reader.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes with the footer's window to the entry of a column chunk.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status enter_entry(detail::ReaderState& state, std::uint32_t column);

// Reads them out of the footer; none, where they cannot be.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status find_index_places(detail::ReaderState& state, std::uint32_t column, format::IndexPlaces& places);

// Goes with the footer's window to a part of the file that lies before the footer. False: it does not.
bool enter_index(detail::ReaderState& state, const format::IndexPlace& place);

// Reads the page header at that place through the footer's window, a few bytes of it.
// - kCorrupt: there is none
Status read_header_at(detail::ReaderState& state, std::uint64_t offset, format::PageHeader& header);

// Whether that header is of a data page of that many rows and bytes, of a flat column.
bool agrees(const format::PageHeader& header, std::uint64_t rows, std::uint32_t bytes);

// A file's answer, or that the index cannot be believed.
inline Status as_no_index(Status status) {
  const bool wrong = status == Status::kCorrupt || status == Status::kUnsupported;
  return wrong ? Status::kEnd : status;
}

}  // namespace microparquet::read
