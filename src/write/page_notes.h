// The pages of the open row group, noted for its index: linked with a layout that has one.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Requires: the options name an IndexedLayout. So do all that follow.
detail::PageNotes& page_notes_of(const detail::WriterState& state);

// Before a row group begins.
void forget_pages(detail::WriterState& state);

// A page of that many bytes and rows is stored, and the next one has no value yet: its bounds are those of the column, which
// begin again.
void note_page(const detail::WriterState& state, detail::ColumnWriter& column, std::uint32_t bytes,
               std::uint32_t rows);

// Stores the open page by `store`, and notes it: it counts when it is stored, whatever else fails then.
template <typename Store>
Status store_noted(detail::WriterState& state, detail::ColumnWriter& column, Store* store) {
  const std::uint32_t bytes = column.chunk_bytes;
  const std::uint32_t row = column.first_row;
  const Status status = store(state, column);
  if (column.chunk_bytes != bytes)
    note_page(state, column, column.chunk_bytes - bytes, column.first_row - row);
  return status;
}

// Writes the index of the row group to where the sink is, at PageNotes::begin of the file. Requires: all pages have their
// last places.
void write_index(thrift::WindowSink& sink, const detail::WriterState& state);

// How many bytes write_index() writes there.
std::uint32_t measure_index(const detail::WriterState& state);

}  // namespace microparquet::write
