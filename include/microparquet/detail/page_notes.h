// What a layout with a page index notes of the open row group, in the arena before the pages:
//
//   PageNotes, where the notes of each column begin, then as they come
//   ColumnNotes and the state of the chunk's bounds, PageNote and the state of the page's bounds
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/math.h"
#include "microparquet/detail/page_transform.h"

namespace microparquet::detail {

struct PageNotes {
  std::uint64_t begin;  // of the row group's index in the file; 0: there is none yet
  std::uint32_t step;   // of the end of the row group, or forward bytes of its index
  std::uint32_t used;   // bytes of this memory: more than there are where pages are not noted
};
inline constexpr std::uint32_t kPageNotesBytes = 16;
static_assert(sizeof(PageNotes) == kPageNotesBytes);

struct alignas(8) ColumnNotes {
  // The notes of its first page and of its last one: how far after these here.
  std::uint32_t next;
  std::uint32_t last;
  // Its part of the index, the bounds of pages and their places: where they begin and end, from PageNotes::begin.
  struct {
    std::uint32_t begin;
    std::uint32_t end;
  } parts[2];
  std::uint32_t pages;      // that are noted
  std::uint32_t nulls;      // in all pages
  std::uint32_t nan_count;  // in all pages
  // Its parts that there are not: the bounds, since a page with values has none, or both, since pages have come that are not
  // noted.
  bool lacks[2];
  bool is_unbounded;  // such a page has values other than NaN: the chunk has no bounds, either
  bool shortened;     // a bound of a page is no value of it: that of the chunk may be none
};
inline constexpr std::uint32_t kColumnNotesBytes = 40;
static_assert(sizeof(ColumnNotes) == kColumnNotesBytes);

// Before the notes of columns.
constexpr std::uint32_t notes_head_bytes(std::uint32_t columns) {
  return round_up(kPageNotesBytes + 4 * columns, 8);
}

// The most that the index takes of the file: of a page no more than its bounds in two lists and 28 bytes, where offsets are
// long, and 52 of a column.
constexpr std::uint32_t most_index_bytes(std::uint32_t index_bytes) { return 2 * index_bytes; }

// From the statistics, without the header of their field, to the end of a ColumnChunk.
using PutChunkEnd = void(thrift::WindowSink& sink, const WriterState& state, const ColumnWriter& column);
PutChunkEnd put_indexed_chunk_end;
// Writes the index of the row group to where the sink is, at PageNotes::begin of the file. Requires: all pages have their last
// places.
using WriteIndex = void(thrift::WindowSink& sink, const WriterState& state);
WriteIndex write_page_index;
WriteRowGroup write_indexed_row_group;

}  // namespace microparquet::detail
