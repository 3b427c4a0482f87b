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
detail::PageNotes& page_notes_of(const detail::WriterState& state);

// Of a column.
detail::ColumnNotes& notes_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// Takes a value that is a bound, without a length, into the state of other bounds.
void take_bound(void* bounds, const detail::ColumnPlan& plan, Span<const std::byte> value);

// Before a row group begins.
void forget_pages(detail::WriterState& state);

// The sealed page of `column` is stored, and the next one has no value yet: its bounds are those of the column, which begin
// again.
void note_page(const detail::WriterState& state, detail::ColumnWriter& column);

// Stores the sealed page by `store`, and notes it: it counts when it is stored, whatever else fails then. Inlined into each of
// its callers, of which a program links one.
template <typename Store>
[[gnu::always_inline]] inline Status store_noted(detail::WriterState& state, detail::ColumnWriter& column,
                                                 const Store& store) {
  const Status status = store(state, column);
  if (column.page_state != detail::PageState::kSealed) note_page(state, column);
  return status;
}

// As WriteIndex, by the layout that the options name.
inline void write_index(thrift::WindowSink& sink, const detail::WriterState& state) {
  detail::indexed_layout(*state.options).write_index(sink, state);
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
  Bounds bounds = tracker.bounds(&notes + 1, column.plan->shape);
  if (notes.is_unbounded) bounds.known = false;
  bounds.nan_count = notes.nan_count;
  if (notes.shortened) bounds.min_shortened = bounds.max_shortened = true;
  format::put_statistics(sink, column, tracker, bounds);
  put_more(sink);
  const std::uint64_t index = page_notes_of(state).begin;
  // Places come before bounds, and these have places.
  for (const auto* part = notes.parts + 2; part != notes.parts;) {
    --part;
    const std::uint32_t bytes = part->end - part->begin;
    if (index != 0 && bytes != 0) format::put_index_place(sink, index + part->begin, bytes);
  }
  sink.put_byte(0);
}

}  // namespace microparquet::write
