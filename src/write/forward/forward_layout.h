// Row groups in the arena, written strictly forward when they are complete:
//
//   PAR1 [footer without rows] { record, chunk, chunk, ... } footer
//
// The arena's pages are a pool, planned for each row group so that its columns fill at the same row. A complete
// row group is moved together at the front of the pool and goes out in one write. A footer goes out through
// one part of the pool, while rows keep arriving in the other.
#pragma once

#include "base/try.h"
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/forward/forward_file.h"
#include "write/layout_ops.h"

namespace microparquet::write {

// State of the layout.
struct ForwardState {
  ForwardFile file;
  std::uint64_t position = 0;            // end of everything that is finished
  std::uint32_t last_checkpoint_ms = 0;  // time of the last footer
  bool halved = false;                   // the second half of the pool is the footer's buffer
  bool footer_in_progress = false;       // a footer has been begun that rows need not wait for
  // A footer read other entries than were written: no more rows can become durable.
  bool misread = false;
};
static_assert(sizeof(ForwardState) <= detail::kForwardStateBytes);

inline ForwardState& forward_state(const detail::WriterState& state) {
  return *static_cast<ForwardState*>(state.layout_state);
}

// Puts the layout's state, with the wrapper of the file, in its place; the file is written up to `written_to`.
void wrap_file(detail::WriterState& state, std::uint64_t written_to);

class ForwardLayout {
 public:
  static Status open(detail::WriterState& state);
  // Writes the rest of the first footer, of which the medium has `written_to` bytes. The pool may hold rows.
  static Status begin_again(detail::WriterState& state, std::uint64_t written_to);
  static Status begin_row_group(detail::WriterState& state);
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);
  // The layout reserves nothing. It is named as the function of other layouts.
  // NOLINTNEXTLINE(readability-identifier-naming)
  static constexpr Status (*add_segment)(detail::WriterState& state) = nullptr;

 protected:
  // Writes a footer after everything that is finished, or the rest of the one that is on its way.
  static Status write_footer_at_end(detail::WriterState& state);
  // Finishes a footer on its way: the record before it says that it comes next.
  static Status finish_footer(detail::WriterState& state);
  // Tells each column where its chunk begins, the first one at `at`; returns the end of the last one.
  // noinline, as take_chunks: their variables are off the stack while a record is written.
  [[gnu::noinline]] static std::uint64_t place_chunks(detail::WriterState& state, std::uint64_t at);
  static std::uint64_t record_end(const detail::WriterState& state) {
    return forward_state(state).position + state.footer.now.slot_bytes;
  }
  // Lets the file take the row group, whose chunks have their places; the next one begins at `next`. It is
  // inlined into its two callers, of which a program links one.
  [[gnu::always_inline]] static Status take_row_group(detail::WriterState& state, std::uint64_t next) {
    ForwardState& forward = forward_state(state);
    if (forward.file.taken_to() < record_end(state)) {  // an interrupted call has had it taken otherwise
      if (state.options->max_row_groups_in_memory != 0) keep_entry(state);
      EntrySummary entry;
      entry.next = next;
      keep_chunks_from(state, state.columns);
      MICROPARQUET_TRY(write_record(state, forward.position, entry));
      count_row_group(state, forward.position, entry);
    }
    return take_chunks(state);
  }
  // Writes the row group that has been taken; the next one begins at `next`.
  static Status finish_row_group(detail::WriterState& state, std::uint64_t next);

 private:
  static Status begin_checkpoint(detail::WriterState& state);
  [[gnu::noinline]] static void keep_entry(detail::WriterState& state);
  static void keep_chunks_from(detail::WriterState& state, const detail::ColumnWriter* column);
  [[gnu::noinline]] static Status take_chunks(detail::WriterState& state);
};

}  // namespace microparquet::write
