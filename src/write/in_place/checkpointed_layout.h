// Checkpoints that cut the open pages of all columns.
#pragma once

#include "write/in_place/checkpoints.h"
#include "write/row_group.h"

namespace microparquet::write {

class CheckpointedLayout : public Checkpoints<CheckpointedLayout> {
 public:
  static Status lay_row_group(detail::WriterState& state) { return InPlaceLayout::begin_row_group(state); }
  // Stores the open pages.
  [[gnu::always_inline]] static Status hold_pages(detail::WriterState& state) {
    InPlaceState& in_place = in_place_of(state);
    in_place.checkpointing = true;
    const Status status = close_pages(state);
    in_place.checkpointing = false;
    MICROPARQUET_TRY(status);
    if (state.plan->forecast != nullptr) state.plan->forecast->count_cut_pages(state);
    const detail::PageLengthening* const lengthening = state.plan->lengthening;
    if (state.row_group_open && lengthening != nullptr && !lengthening->pages_end_on_blocks(state))
      MICROPARQUET_TRY(write::end_row_group(state));
    return Status::kOk;
  }

  // Writes the record of the open row group, and describes it by that.
  static Status describe_open(detail::WriterState& state);

  [[gnu::always_inline]] static Status reserve_draft(detail::WriterState& state) {
    const detail::FooterDraft& draft = state.footer.draft;
    return reserve(state, SectorIndex::of(draft.offset) + footer_sectors(state, draft.contents));
  }
};

}  // namespace microparquet::write
