// Offsets and sizes of a column's page index and bloom filter, and the lists of numbers in them.
#pragma once

#include <cstdint>

#include "format/index_places_reader.h"
#include "format/page_header_reader.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

// Places of a column's page index and bloom filter in the current row group.

// Moves the footer's window to the entry of a column chunk.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status enter_entry(detail::ReaderState& state, std::uint32_t column);

// Reads the places from the footer; a place that cannot be right becomes none.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status find_index_places(detail::ReaderState& state, std::uint32_t column, format::IndexPlaces& places);

// Moves the footer's window to a part of the file before the footer. Returns false if the part does not lie
// there.
bool enter_index(detail::ReaderState& state, const format::IndexPlace& place);

// Reads the page header at `offset` through the footer's window, which loads only a few bytes for it.
// - kCorrupt: there is no header
Status read_header_at(detail::ReaderState& state, std::uint64_t offset, format::PageHeader& header);

// Returns whether the header belongs to a data page of a flat column with this number of rows and bytes.
bool agrees(const format::PageHeader& header, std::uint64_t rows, std::uint32_t bytes);

// Turns damage into kEnd, which says that there is no usable index; returns any other status of the file as
// it is.
inline Status as_no_index(Status status) {
  const bool wrong = status == Status::kCorrupt || status == Status::kUnsupported;
  return wrong ? Status::kEnd : status;
}

// Lists of numbers in a footer or an index.

// Reads the `size` numbers that are next into `places`. If `places` has another size, it passes them and
// returns false.
inline bool take_numbers(thrift::CompactReader& in, std::uint32_t size, Span<std::uint64_t> places) {
  const bool fits = size == places.size();
  for (std::uint32_t i = 0; i < size && in.ok(); ++i) {
    const std::uint64_t number = in.element_count();
    if (fits) places[i] = number;
  }
  return fits;
}

}  // namespace microparquet::read
