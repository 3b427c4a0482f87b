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

struct IndexedForward : AnyForwardLayout {
  static Status begin_row_group(WriterState& state) {
    forget_pages(state);
    return AnyForwardLayout::begin_row_group(state);
  }
  static Status store_page(WriterState& state, ColumnWriter& column) {
    return store_noted(state, column, &keep_page);
  }
  static Status end_row_group(WriterState& state) {
    MICROPARQUET_TRY(finish_footer(state));
    PageNotes& notes = page_notes_of(state);
    if (!has_taken_record(state)) {
      notes.begin = place_chunks(state, record_end(state));
      notes.step = measure_index(state);
    }
    keep_entry(state);
    MICROPARQUET_TRY(take_row_group(state, notes.begin + notes.step));
    thrift::WindowSink sink = sink_at(state, notes.begin);
    static_cast<void>(write_index(sink, state));
    MICROPARQUET_TRY(sink.flush());
    MICROPARQUET_TRY(finish_row_group(state, notes.begin + notes.step));
    observe_rows(state);
    return Status::kOk;
  }
};

}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kIndexedForwardOps = layout_ops<write::IndexedForward>();

}  // namespace microparquet::detail
