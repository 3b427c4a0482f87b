// The end of a row group in place: all its pages are stored.
#pragma once

#include "base/try.h"
#include "write/in_place/in_place_layout.h"
#include "write/record.h"

namespace microparquet::write {

// Where the next row group goes: after what this one has used, or into the free segment.
inline Status place_next(detail::WriterState& state) {
  detail::FooterExtension& now = state.footer.now;
  if (const detail::ExtentForecast* const forecast = state.plan->forecast; forecast != nullptr)
    MICROPARQUET_TRY(forecast->observe(state, state.rows));
  for (const detail::ColumnWriter& column : columns_of(state)) {
    const SectorIndex end = SectorIndex::of(column.chunk_begin) + block_of(state).holding(column.chunk_bytes);
    if (end > now.next) now.next = end;
  }
  in_place_of(state).extents_planned = find_place(state, true);
  return Status::kOk;
}

// `store_more(state)` stores what is to follow the pages, where the next row group would begin, and moves that on; it is repeated
// with the rest when something fails. Inlined into each of its two callers, of which a program links one.
template <typename StoreMore>
[[gnu::always_inline]] inline Status end_row_group_after(detail::WriterState& state,
                                                         const StoreMore& store_more) {
  const detail::FooterExtension& now = state.footer.now;
  InPlaceState& in_place = in_place_of(state);
  if (now.next == in_place.row_group) MICROPARQUET_TRY(place_next(state));  // else an interrupted try has
  MICROPARQUET_TRY(store_more(state));
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
