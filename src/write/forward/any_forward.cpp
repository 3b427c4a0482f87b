// The forward layout's parts for columns whose pages hold no fixed number of rows, and for files that cannot be read
// back. A StaticWriter without these does not link them.
#include "base/try.h"
#include "io/window_sink.h"
#include "write/forward/forward_layout.h"
#include "write/row_group.h"

namespace microparquet::write {
namespace {

using detail::WriterState;

bool keeps_entries(const WriterState& state) { return state.options->max_row_groups_in_memory != 0; }

// Returns the kept entries of finished row groups.
std::byte* kept_entries(const WriterState& state) { return arena_of(state) + state.plan->arena.kept; }

// Has the next footer read them as those of the last one.
void serve_entries(WriterState& state) {
  forward_state(state).file.read_instead(kept_entries(state));
  state.footer.entries_begin = 0;
  state.footer.entries_bytes = state.footer.now.entries_bytes;
}

}  // namespace

Status AnyForwardLayout::begin_row_group(WriterState& state) {
  const std::uint32_t kept = state.options->max_row_groups_in_memory;
  if (kept != 0 && state.footer.now.row_groups == kept) return Status::kLimitReached;
  return begin(state);
}

Status AnyForwardLayout::end_row_group(WriterState& state) {
  MICROPARQUET_TRY(finish_footer(state));
  keep_entry(state);
  MICROPARQUET_TRY(ForwardLayout::end_row_group(state));
  observe_rows(state);
  return Status::kOk;
}

// Appends it to those in memory; it counts when its record is written. The window is longer than any entry and
// never goes to the file.
void AnyForwardLayout::keep_entry(WriterState& state) {
  if (!keeps_entries(state) || has_taken_record(state)) return;
  place_chunks(state, record_end(state));
  std::byte* const entry = kept_entries(state) + state.footer.now.entries_bytes;
  const Span<std::byte> window(entry, state.plan->arena.record_bytes);
  thrift::WindowSink sink(*state.file, 0, window, state.options->checksum);
  state.plan->write_row_group(sink, state);
}

// A file that cannot be read back is not resumed from its last footer.
Status AnyForwardLayout::tick(WriterState& state) {
  return keeps_entries(state) ? Status::kOk : ForwardLayout::tick(state);
}

Status AnyForwardLayout::checkpoint(WriterState& state) {
  if (keeps_entries(state)) {
    MICROPARQUET_TRY(write::end_row_group(state));
    serve_entries(state);
  }
  return ForwardLayout::checkpoint(state);
}

Status AnyForwardLayout::close(WriterState& state) {
  if (keeps_entries(state)) serve_entries(state);
  return ForwardLayout::close(state);
}

}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kForwardLayoutOps = layout_ops<write::AnyForwardLayout>();

}  // namespace microparquet::detail
