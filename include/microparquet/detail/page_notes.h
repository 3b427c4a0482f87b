// Notes of a layout with a page index on the open row group. ColumnNotes of each column lie before the states
// of the columns, and are zeroed with them. The rest lies after the state of the underlying layout:
// PageNotes, and from the end of this memory down a PageNote and the state of the page's bounds for each
// page.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/layout.h"

namespace microparquet::detail {

// Distance of the notes from the begin of the layout's state, for any layout.
inline constexpr std::size_t kPageNotesPlace = kForwardStateBytes;
static_assert(kInPlaceStateBytes <= kPageNotesPlace);

struct PageNotes {
  std::uint64_t begin;  // place of the row group's index in the file; 0: it ends without one
  std::uint32_t step;   // step of ending the row group, or in the forward layout the length of its index; 0:
                        // it has not begun
  std::byte* free;      // end of the unused memory
};

// Part of a row group's index.
struct IndexPart {
  std::uint32_t begin;  // distance from PageNotes::begin
  std::uint32_t bytes;  // length; 0: the part is missing
};

struct ColumnNotes {
  // Note of the first page, as a distance from these notes. It comes first, as in a PageNote.
  std::uint32_t next;
  // Number of missing parts, from the first one: the bounds, if a page with values has none; both, if there
  // is no memory for more pages.
  std::uint8_t lacks;
  bool is_unbounded;  // whether such a page has values other than NaN: the chunk has no bounds, either
  bool shortened;     // whether a bound of a page need not be a value: the chunk's may not be one, either
  // Notes of the last page, 0: none, and of the next page.
  std::uint32_t last;
  std::uint32_t open;
  std::uint32_t pages;      // number of noted pages
  std::uint32_t nulls;      // nulls in all pages
  std::uint32_t nan_count;  // NaN in all pages
  IndexPart parts[2];       // the bounds of pages, and their places
};
// Columns' notes lie half as far apart as ColumnWriters: converting one address to the other needs no
// division.
inline constexpr std::uint32_t kColumnNotesBytes = sizeof(ColumnWriter) / 2;
static_assert(sizeof(ColumnNotes) <= kColumnNotesBytes && kColumnNotesBytes % alignof(ColumnNotes) == 0);

// Note on a page, for the index; the state of its bounds follows.
struct PageNote {
  std::uint32_t next;   // offset of the next page's note from the column's notes; 0: this is the last one
  std::uint32_t bytes;  // length with its header
  std::uint32_t end;    // row after it, from the first one of the row group
  std::uint32_t nulls;
};

// Returns the longest index in the file: for a page its bounds in two lists and 28 bytes with long offsets,
// and 52 bytes for a column.
constexpr std::uint32_t most_index_bytes(std::uint32_t index_bytes) { return 2 * index_bytes; }

// Writes the statistics, without the header of their field, and the rest of a ColumnChunk.
using PutChunkEnd = void(thrift::WindowSink& sink, const WriterState& state, const ColumnWriter& column);
PutChunkEnd put_indexed_chunk_end;
// Writes the index of the row group through the sink, which is at PageNotes::begin of the file; returns its
// length. Requires: all pages have their final places.
using WriteIndex = std::uint32_t(thrift::WindowSink& sink, const WriterState& state);
WriteIndex write_page_index;
WriteRowGroup write_indexed_row_group;

}  // namespace microparquet::detail
