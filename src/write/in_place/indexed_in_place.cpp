// Layouts in place with an index of their pages. It stands where the next row group would begin:
//
//   [slot A] [slot B] [extent] [extent] ... [index] [slot A] ...
//
// When it is on the medium, the record that names it is written; a footer is built from records.
#include "base/try.h"
#include "write/in_place/checkpointed_layout.h"
#include "write/in_place/in_place_layout.h"
#include "write/page_notes.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::PageNotes;
using detail::WriterState;

// How far the end of a row group has come, so that it can be repeated after a failure.
enum Step : std::uint32_t { kPages, kPlaced, kWritten };

// The pages have their last places: finds one for what follows them.
Status find_index_place(WriterState& state) {
  FooterExtension& now = state.footer.now;
  if (state.plan->forecast != nullptr) MICROPARQUET_TRY(state.plan->forecast->observe(state, state.rows));
  for (const ColumnWriter& column : columns_of(state)) {
    const SectorIndex end = SectorIndex::of(column.chunk_begin) + block_of(state).holding(column.chunk_bytes);
    if (end > now.next) now.next = end;
  }
  find_place(state, true);
  page_notes_of(state).step = kPlaced;
  return Status::kOk;
}

// What is to be left of the segment: the index, and the footer that may have to close the file. Since this row group was planned,
// one more is in that footer.
Sectors needed_sectors(const WriterState& state) {
  const Sectors closing = closing_sectors(state) - Sectors::whole_in(state.plan->arena.record_bytes);
#ifdef __OPTIMIZE_SIZE__
  return closing;
#else
  return closing - reserved_index_sectors(state) + block_of(state).holding(measure_index(state));
#endif
}

// In whole sectors. Where nothing else fits, closing_sectors() has space for an index; in a segment of a writer that makes none
// there may be none.
Status store_index(WriterState& state) {
  FooterExtension& now = state.footer.now;
  PageNotes& notes = page_notes_of(state);
  if (now.next + needed_sectors(state) <= now.segment_end) {
    notes.begin = now.next.offset();
    thrift::WindowSink sink = sink_at(state, notes.begin);
    write_index(sink, state);
    const std::uint32_t bytes = sink.bytes_from(notes.begin);
    sink.put_zeros(detail::bytes_to_sector(bytes));
    MICROPARQUET_TRY(sink.flush());
    MICROPARQUET_TRY(state.file->barrier());
    now.next += block_of(state).holding(bytes);
  }
  notes.step = kWritten;
  in_place_of(state).extents_planned = find_place(state, true);
  return Status::kOk;
}

Status end_indexed(WriterState& state) {
  if (page_notes_of(state).step == kPages) MICROPARQUET_TRY(find_index_place(state));
  if (page_notes_of(state).step == kPlaced) MICROPARQUET_TRY(store_index(state));
  return InPlaceLayout::end_row_group(state);
}

// `Base` is InPlaceLayout or what is made of it.
template <typename Base>
struct Indexed : Base {
  static Status begin_row_group(WriterState& state) {
    forget_pages(state);
    return Base::begin_row_group(state);
  }
  static Status store_page(WriterState& state, ColumnWriter& column) {
    return store_noted(state, column, &store);
  }

 private:
  static Status store(WriterState& state, ColumnWriter& column) { return Base::store_page(state, column); }
};

// Without checkpoints it is for the lengthening alone to know which sectors are stored.
template <>
Status Indexed<InPlaceLayout>::store(WriterState& state, ColumnWriter& column) {
  const detail::PageLengthening* const lengthening = state.plan->lengthening;
  return (lengthening != nullptr ? lengthening->store_page : &InPlaceLayout::store_page)(state, column);
}

struct IndexedInPlace : Indexed<InPlaceLayout> {
  static Status end_row_group(WriterState& state) { return end_indexed(state); }
};

struct IndexedCheckpointed : Indexed<CheckpointedLayout> {
  // A segment that is being added must be there before it is needed.
  static Status end_row_group(WriterState& state) {
    const InPlaceState& in_place = in_place_of(state);
    if (in_place.footer_in_progress && state.footer.draft.contents.free_end > in_place.footers_begin)
      MICROPARQUET_TRY(step(state, kWhole));
    return end_indexed(state);
  }
};

}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kIndexedInPlaceOps = layout_ops<write::IndexedInPlace>();
const LayoutOps kIndexedCheckpointedOps = layout_ops<write::IndexedCheckpointed>();

}  // namespace microparquet::detail
