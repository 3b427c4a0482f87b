// Ending a row group in place, after all its pages are stored.
#pragma once

#include "base/try.h"
#include "write/footer.h"
#include "write/in_place/in_place_layout.h"

namespace microparquet::write {

// Moves now.next past the row group's chunks, unless an interrupted call has done so. This function and
// write_last_record() are inlined into their two callers, of which a program links one.
[[gnu::always_inline]] inline Status pass_chunks(detail::WriterState& state) {
  detail::FooterExtension& now = state.footer.now;
  if (const detail::ExtentForecast* const forecast = state.plan->forecast; forecast != nullptr)
    MICROPARQUET_TRY(forecast->observe(state, state.rows));
  for (const detail::ColumnWriter& column : columns_of(state)) {
    const SectorIndex end = SectorIndex::of(column.chunk_begin) + block_of(state).holding(column.chunk_bytes);
    if (end > now.next) now.next = end;
  }
  return Status::kOk;
}

// Returns whether pass_chunks() has been called.
inline bool has_passed_chunks(const detail::WriterState& state, const InPlaceState& in_place) {
  return state.footer.now.next != in_place.row_group;
}

// Plans the next row group at now.next, or in the free segment.
inline void plan_next(detail::WriterState& state) {
  in_place_of(state).extents_planned = find_place(state, true);
}

// Writes the record after the next row group has its place.
[[gnu::always_inline]] inline Status write_last_record(detail::WriterState& state, InPlaceState& in_place) {
  const detail::FooterExtension& now = state.footer.now;
  if (now.next < in_place.stale_end) MICROPARQUET_TRY(in_place.empty_slots(state, now.next));
  EntrySummary entry;
  entry.next = now.next.offset();
  const std::uint64_t at = in_place.row_group.offset();
  MICROPARQUET_TRY(write_record(state, at, entry));
  count_row_group(state, at, entry);
  in_place.extents_inherited = false;
  return Status::kOk;
}

}  // namespace microparquet::write
