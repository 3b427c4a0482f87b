// Notes on the pages of the open row group, for its index. A layout with an index links them.
#pragma once

#include <cstdint>

#include "format/page_index_writer.h"
#include "format/statistics_writer.h"
#include "io/window_sink.h"
#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns the notes of all pages. Requires, as all functions below: the options name an IndexedLayout.
inline detail::PageNotes& page_notes_of(const detail::WriterState& state) {
  return *reinterpret_cast<detail::PageNotes*>(static_cast<std::byte*>(state.layout_state) +
                                               detail::kPageNotesPlace);
}

// Returns the notes of a column.
detail::ColumnNotes& notes_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// Returns the bounds of the column's chunk. Without an index that place holds the open page's bounds, which
// here are in the page's note.
inline void* chunk_bounds(const detail::ColumnWriter& column) {
  return static_cast<std::byte*>(column.state) + column.plan->encoder->state_bytes;
}

// Adds a minimum and a maximum to the state of other bounds, as values. It is inlined into the only caller in
// a program.
[[gnu::always_inline]] inline void take_bounds(void* state, const detail::ColumnPlan& plan,
                                               const Bounds& bounds) {
  ValueShape shape = plan.shape;
  const Span<const std::byte>* bound = &bounds.min;
  for (;;) {
    const std::byte* value = bound->data();
    shape.value_bytes = static_cast<std::uint32_t>(bound->size());
    std::size_t bytes = shape.value_bytes;
    if (bytes == 0) {  // a byte array after its length
      value = reinterpret_cast<const std::byte*>(&shape.value_bytes);
      bytes = sizeof shape.value_bytes;
    }
    plan.bounds->update(state, value, value + bytes, shape);
    if (bound == &bounds.max) return;
    bound = &bounds.max;
  }
}

// Opens a note for the next page of `column`, which has no value yet. If the memory is full, it reuses the
// last note, and no note of the row group counts.
void open_note(const detail::WriterState& state, detail::ColumnWriter& column);

// Clears the notes before a row group begins. It is inlined into its callers, of which a program links one.
[[gnu::always_inline]] inline void forget_pages(detail::WriterState& state) {
  detail::PageNotes& all = page_notes_of(state);
  all.step = 0;
  all.free = arena_of(state) + state.plan->arena.levels;
  for (detail::ColumnWriter& column : columns_of(state)) open_note(state, column);
}

// Stores the sealed page by `store` and notes it. A stored page counts, whatever fails afterwards.
Status store_noted(detail::WriterState& state, detail::ColumnWriter& column,
                   Status (*store)(detail::WriterState& state, detail::ColumnWriter& column));

// Writes the index in the way of the layout that the options name; see WriteIndex.
inline std::uint32_t write_index(thrift::WindowSink& sink, const detail::WriterState& state) {
  return detail::indexed_layout(*state.options).write_index(sink, state);
}

// Returns the number of bytes that write_index() writes.
std::uint32_t measure_index(const detail::WriterState& state);

// Implements put_indexed_chunk_end(); `put_more(sink)` ends the statistics and the metadata. It is inlined
// into its two callers, of which a program links one.
template <typename PutMore>
[[gnu::always_inline]] inline void put_chunk_end(thrift::WindowSink& sink, const detail::WriterState& state,
                                                 const detail::ColumnWriter& column,
                                                 const PutMore& put_more) {
  detail::ColumnNotes& notes = notes_of(state, column);
  const BoundsTracker& tracker = *column.plan->bounds;
  Bounds bounds = tracker.bounds(chunk_bounds(column), column.plan->shape);
  if (notes.is_unbounded) bounds.known = false;
  if (notes.shortened) bounds.min_shortened = bounds.max_shortened = true;
  format::put_statistics(sink, column, tracker, bounds, notes.nan_count);
  put_more(sink);
  const std::uint64_t& index = page_notes_of(state).begin;
  format::put_place(sink, index, notes.parts[1].begin, notes.parts[1].bytes);
  format::put_place(sink, index, notes.parts[0].begin, notes.parts[0].bytes);
  sink.put_byte(0);
}

}  // namespace microparquet::write
