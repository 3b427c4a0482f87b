// Layouts in place with a page index. The index lies where the next row group would begin:
//
//   [slot A] [slot B] [extent] [extent] ... [index] [slot A] ...
//
// The record that names the index is written after it is on the medium; footers are built from records.
#include "base/try.h"
#include "microparquet/detail/desktop.h"
#include "write/footer.h"
#include "write/in_place/checkpointed_layout.h"
#include "write/in_place/end_row_group.h"
#include "write/in_place/in_place_layout.h"
#include "write/page_notes.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::PageNotes;
using detail::WriterState;

// Returns the space needed in the rest of the segment: for the index, and for a footer that may have to close
// the file. That footer has gained a row group since this one was planned.
Sectors needed_sectors(const WriterState& state) {
  const Sectors closing = closing_sectors(state) - record_sectors(state);
  if constexpr (!detail::kDesktop) return closing;
  return closing - reserved_index_sectors(state) + block_of(state).holding(measure_index(state));
}

// Stores the index in whole sectors where the next row group would begin, which then goes after it.
// closing_sectors() keeps space for an index if nothing else does; a segment reserved by a writer without
// indexes may have none.
Status store_index(WriterState& state) {
  FooterExtension& now = state.footer.now;
  PageNotes& notes = page_notes_of(state);
  notes.begin = 0;  // discards an index that was measured, or written by an interrupted call
  if (now.next + needed_sectors(state) <= now.segment_end) {
    notes.begin = now.next.offset();
    thrift::WindowSink sink = sink_at(state, notes.begin);
    const std::uint32_t bytes = write_index(sink, state);
    sink.put_zeros(detail::bytes_to_sector(bytes));
    MICROPARQUET_TRY(sink.flush());
    MICROPARQUET_TRY(state.file->barrier());
    now.next += block_of(state).holding(bytes);
  }
  notes.step = 1;
  return Status::kOk;
}

Status end_indexed(WriterState& state) {
  if (!has_passed_chunks(state, in_place_of(state))) MICROPARQUET_TRY(pass_chunks(state));
  for (;;) {
    plan_next(state);
    if (page_notes_of(state).step != 0) return write_last_record(state, in_place_of(state));
    MICROPARQUET_TRY(store_index(state));
  }
}

// Adds the index to `Base`: InPlaceLayout or a layout derived from it.
template <typename Base>
struct Indexed : Base {
  static Status begin_row_group(WriterState& state) {
    forget_pages(state);
    return Base::begin_row_group(state);
  }
  static Status store_page(WriterState& state, ColumnWriter& column) {
    return store_noted(state, column, &Base::store_page);
  }
};

// Stores a page without checkpoints, when only the lengthening knows which sectors are stored.
template <>
Status Indexed<InPlaceLayout>::store_page(WriterState& state, ColumnWriter& column) {
  const detail::PageLengthening* const lengthening = state.plan->lengthening;
  return store_noted(state, column,
                     lengthening != nullptr ? lengthening->store_page : &InPlaceLayout::store_page);
}

struct IndexedInPlace : Indexed<InPlaceLayout> {
  static Status end_row_group(WriterState& state) { return end_indexed(state); }
};

struct IndexedCheckpointed : Indexed<CheckpointedLayout> {
  // Ends a row group. A segment that is being added must be published before the next row group needs it.
  static Status end_row_group(WriterState& state) {
    const InPlaceState& in_place = in_place_of(state);
    if (in_place.footer_in_progress && state.footer.draft.contents.free_end > in_place.footers_begin)
      MICROPARQUET_TRY(step_where_space_is(state, kWhole));
    return end_indexed(state);
  }
};

}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kIndexedInPlaceOps = layout_ops<write::IndexedInPlace>();
const LayoutOps kIndexedCheckpointedOps = layout_ops<write::IndexedCheckpointed>();

}  // namespace microparquet::detail
