// The forward layout with a page index, which follows the chunks:
//
//   { record, chunk, chunk, ..., index }
//
// The record before them says where the index and the next row group begin, so the index is measured first.
#include "base/try.h"
#include "write/forward/forward_layout.h"
#include "write/page_notes.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::PageNotes;
using detail::WriterState;

// Returns whether all of the row group but its index is written; `step` is the index's length then.
bool index_is_next(const WriterState& state) {
  const PageNotes& notes = page_notes_of(state);
  return notes.step != 0 && forward_state(state).position == notes.begin + notes.step;
}

struct IndexedForward : ForwardLayout {
  static Status begin_row_group(WriterState& state) {
    forget_pages(state);
    return ForwardLayout::begin_row_group(state);
  }
  static Status store_page(WriterState& state, ColumnWriter& column) {
    return store_noted(state, column, &ForwardLayout::store_page);
  }
  static Status end_row_group(WriterState& state) {
    if (!index_is_next(state)) {
      if (state.may_be_live) MICROPARQUET_TRY(write_footer_at_end(state));
      PageNotes& notes = page_notes_of(state);
      notes.begin = place_chunks(state, record_end(state));
      notes.step = measure_index(state);
      MICROPARQUET_TRY(write_row_group(state, notes.begin + notes.step));
    }
    thrift::WindowSink sink = sink_at(state, page_notes_of(state).begin);
    static_cast<void>(write_index(sink, state));
    return sink.flush();
  }
};

}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kIndexedForwardOps = layout_ops<write::IndexedForward>();

}  // namespace microparquet::detail
