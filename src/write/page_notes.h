// The pages of the open row group, noted for its index: linked with a layout that has one.
#pragma once

#include <cstdint>

#include "format/page_index_writer.h"
#include "format/statistics_writer.h"
#include "io/window_sink.h"
#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Requires: the options name an IndexedLayout. So do all that follow.
inline detail::PageNotes& page_notes_of(const detail::WriterState& state) {
  return *reinterpret_cast<detail::PageNotes*>(static_cast<std::byte*>(state.layout_state) +
                                               detail::kPageNotesPlace);
}

// Of a column.
detail::ColumnNotes& notes_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// The bounds of its chunk: where those of the open page are without an index, which here have a state in the note of the page.
inline void* chunk_bounds(const detail::ColumnWriter& column) {
  return static_cast<std::byte*>(column.state) + column.plan->encoder->state_bytes;
}

// Takes a minimum and a maximum as values into the state of other bounds. Inlined, since there is one call in a program.
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

// A note of the next page of `column`, which has no value yet. Where there is no memory for one, it is that of the page before,
// and none of them counts.
void open_note(const detail::WriterState& state, detail::ColumnWriter& column);

// Before a row group begins. Inlined into each of its callers, of which a program links one.
[[gnu::always_inline]] inline void forget_pages(detail::WriterState& state) {
  detail::PageNotes& all = page_notes_of(state);
  all.step = 0;
  all.free = arena_of(state) + state.plan->arena.levels;
  for (detail::ColumnWriter& column : columns_of(state)) open_note(state, column);
}

// Stores the sealed page by `store`, and notes it: it counts when it is stored, whatever else fails then.
Status store_noted(detail::WriterState& state, detail::ColumnWriter& column,
                   Status (*store)(detail::WriterState& state, detail::ColumnWriter& column));

// As WriteIndex, by the layout that the options name.
inline std::uint32_t write_index(thrift::WindowSink& sink, const detail::WriterState& state) {
  return detail::indexed_layout(*state.options).write_index(sink, state);
}

// How many bytes write_index() writes.
std::uint32_t measure_index(const detail::WriterState& state);

// The same for put_indexed_chunk_end(), where `put_more(sink)` ends the statistics and the metadata. Inlined into each of its
// two callers, of which a program links one.
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
