// What a layout with a page index notes of the open row group. ColumnNotes of each column lie before the states of the columns, and
// are zeroed with them. The rest lies after the state of the layout that it is made of: PageNotes, and from the end of this memory down, as
// pages come, a PageNote and the state of the page's bounds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/layout.h"

namespace microparquet::detail {

// How far after the layout's state they lie, whichever that is.
inline constexpr std::size_t kPageNotesPlace = kForwardStateBytes;
static_assert(kInPlaceStateBytes <= kPageNotesPlace);

struct PageNotes {
  std::uint64_t begin;  // of the row group's index in the file; 0: it ends without one
  std::uint32_t step;   // of the end of the row group, or forward bytes of its index; 0: it has not begun
  std::byte* free;      // the end of what is not used of this memory
};

// A part of the index of a row group.
struct IndexPart {
  std::uint32_t begin;  // from PageNotes::begin
  std::uint32_t bytes;  // 0: there is none
};

struct ColumnNotes {
  // The note of its first page: how far after these here. It stands first, as in a PageNote.
  std::uint32_t next;
  // How many of its parts there are not, from the first: the bounds, since a page with values has none, or both, since there is no
  // memory for more pages.
  std::uint8_t lacks;
  bool is_unbounded;  // such a page has values other than NaN: the chunk has no bounds, either
  bool shortened;     // a bound of a page is no value of it: that of the chunk may be none
  // The notes of its last page, 0: of none, and of the page that is to come.
  std::uint32_t last;
  std::uint32_t open;
  std::uint32_t pages;      // that are noted
  std::uint32_t nulls;      // in all pages
  std::uint32_t nan_count;  // in all pages
  IndexPart parts[2];       // the bounds of pages, and their places
};
// They lie half as far from each other as ColumnWriters, so that the way from one to the other needs no division.
inline constexpr std::uint32_t kColumnNotesBytes = sizeof(ColumnWriter) / 2;
static_assert(sizeof(ColumnNotes) <= kColumnNotesBytes && kColumnNotesBytes % alignof(ColumnNotes) == 0);

// What the index says of a page; the state of its bounds follows.
struct PageNote {
  std::uint32_t
      next;  // the note of the next page: how far after those of the column; 0: this is the last one
  std::uint32_t bytes;  // with its header
  std::uint32_t rows;
  std::uint32_t nulls;
};

// The most that the index takes of the file: of a page no more than its bounds in two lists and 28 bytes, where offsets are
// long, and 52 of a column.
constexpr std::uint32_t most_index_bytes(std::uint32_t index_bytes) { return 2 * index_bytes; }

// From the statistics, without the header of their field, to the end of a ColumnChunk.
using PutChunkEnd = void(thrift::WindowSink& sink, const WriterState& state, const ColumnWriter& column);
PutChunkEnd put_indexed_chunk_end;
// Writes the index of the row group to where the sink is, at PageNotes::begin of the file; how many bytes it has. Requires: all pages have their last
// places.
using WriteIndex = std::uint32_t(thrift::WindowSink& sink, const WriterState& state);
WriteIndex write_page_index;
WriteRowGroup write_indexed_row_group;

}  // namespace microparquet::detail
