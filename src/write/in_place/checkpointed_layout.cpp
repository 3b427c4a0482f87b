#include "write/in_place/checkpointed_layout.h"

#include "base/try.h"
#include "write/footer.h"
#include "write/row_group.h"

namespace microparquet::write {

using detail::FooterExtension;
using detail::WriterState;

bool has_new_rows(const WriterState& state) {
  return has_more_than(state, static_cast<std::uint32_t>(state.durable_rows));
}

bool segment_is_low(const WriterState& state, Sectors more) {
  const FooterExtension& now = state.footer.now;
  const InPlaceState& in_place = in_place_of(state);
  const SectorIndex open_end = in_place.row_group_end;
  const SectorIndex end = open_end > now.next ? open_end : now.next;
  const Sectors needed = in_place.row_group_sectors + more + closing_sectors(state);
  return now.free_begin == detail::kNowhere && end + needed > now.segment_end;
}

// noinline: its variables are off the stack while pages are closed.
[[gnu::noinline]] Status CheckpointedLayout::describe_open(WriterState& state) {
  set_free_extents(state);
  EntrySummary entry;
  entry.next = 0;
  const SectorIndex place = in_place_of(state).row_group;
  const std::uint64_t slot = place.offset() + state.footer.now.slot_bytes;
  MICROPARQUET_TRY(write_record(state, slot, entry));
  FooterExtension& contents = state.footer.draft.contents;
  contents.next = place;
  contents.rows += state.rows;
  contents.open_bytes = entry.bytes;
  contents.entries_crc = entry.crc;
  return Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kCheckpointedLayoutOps = layout_ops<write::CheckpointedLayout>();

}  // namespace microparquet::detail
