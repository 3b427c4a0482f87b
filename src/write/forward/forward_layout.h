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
#include "write/forward/pool.h"
#include "write/layout_ops.h"

namespace microparquet::write {

// State of the layout.
struct ForwardState {
  ForwardFile file;
  std::uint64_t position;            // end of everything that is finished
  std::uint32_t last_checkpoint_ms;  // time of the last footer
  // Length of the first half of the pool while the second is the footer's buffer, in kPoolUnit; 0: rows have all.
  std::uint16_t half;
  bool footer_in_progress;  // a footer has been begun: nothing else is written before its end
  // A footer read other entries than were written: no more rows can become durable.
  bool misread;
};
static_assert(sizeof(ForwardState) <= detail::kForwardStateBytes);

inline ForwardState& forward_state(const detail::WriterState& state) {
  return *static_cast<ForwardState*>(state.layout_state);
}

// Puts the layout's state, with the wrapper of the file, in its place; the file is written up to `written_to`. The
// pool is the wrapper's buffer.
void wrap_file(detail::WriterState& state, std::uint64_t written_to);

// Has the file take zeros up to `end`.
Status take_zeros(detail::WriterState& state, std::uint64_t end);
// Begins a footer. The rest of the sector before it is zeros, so that nothing it describes waits in memory.
void begin_footer_at_end(detail::WriterState& state);
// Puts everything that the draft describes on the medium, and zeros before it.
Status write_before_draft(detail::WriterState& state);
// Returns how many windows of a footer on its way a tick() writes, `elapsed` ms after the last footer. It is inlined into its
// callers, as the next one: a program links one.
[[gnu::always_inline]] inline std::uint32_t windows_of_tick(const detail::WriterState& state,
                                                            const Options& options, std::uint32_t elapsed) {
  constexpr std::uint32_t kShare = detail::kMostFooterTicks * detail::kLeastWindowBytes;
  const std::uint32_t windows =
      detail::kLeastFooterWindows + footer_bytes(state, state.footer.draft.contents) / kShare;
  const bool late = elapsed > options.max_loss_ms / detail::kLateShare;
  return late ? detail::kLateWindows * windows : windows;
}
// Returns whether a footer is due `elapsed` ms after the last one; `bytes` bytes of row groups are in none.
[[gnu::always_inline]] inline bool is_footer_due(const detail::WriterState& state, const Options& options,
                                                 std::uint32_t elapsed, std::uint32_t bytes) {
  const std::uint64_t cost = std::uint64_t{options.checkpoint_ratio} * footer_bytes(state, state.footer.now);
  const bool pays = elapsed >= options.checkpoint_ms && bytes >= cost;
  return pays || elapsed >= options.max_loss_ms;
}
// Part of the bytes between two places that zeros may take.
inline constexpr std::uint32_t kLargestShareOfZeros = 16;
// Returns where the next row group begins if this one ends at `end`: it takes zeros up to the next place if these are
// few.
[[gnu::always_inline]] inline std::uint64_t next_place(const detail::WriterState& state, std::uint64_t end) {
  const ForwardFile& file = forward_state(state).file;
  const std::uint32_t rest = file.bytes_to_place(end);
  return rest <= file.place_mask() / kLargestShareOfZeros ? end + rest : end;
}

// Writes more of the footer on its way, at most `windows` windows, and publishes it when all of it is written.
Status continue_footer(detail::WriterState& state, std::uint32_t windows);
// Gives columns their regions of the pool. noinline: its variables are off the stack while a footer is written.
[[gnu::noinline]] void lay_pool(detail::WriterState& state);

// The layout for columns of a fixed width, to files that can be read back.
class ForwardLayout {
 public:
  static Status open(detail::WriterState& state);
  // Writes the first footer again, of which the medium has `written_to` bytes. The pool may hold rows.
  static Status begin_again(detail::WriterState& state, std::uint64_t written_to);
  static Status begin_row_group(detail::WriterState& state);
  // It is named as the function of other layouts.
  // NOLINTNEXTLINE(readability-identifier-naming)
  static constexpr Status (*store_page)(detail::WriterState& state,
                                        detail::ColumnWriter& column) = &keep_page;
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);
  // The layout reserves nothing. It is named as the function of other layouts.
  // NOLINTNEXTLINE(readability-identifier-naming)
  static constexpr Status (*add_segment)(detail::WriterState& state) = nullptr;

 protected:
  // Finishes a footer on its way that rows must wait for, and gives columns their regions of the pool. It is inlined
  // into its callers, of which a program links one.
  [[gnu::always_inline]] static Status begin(detail::WriterState& state) {
    const ForwardState& forward = forward_state(state);
    if (forward.misread) return Status::kCorrupt;
    if (forward.footer_in_progress && forward.half == 0) MICROPARQUET_TRY(continue_footer(state, kWhole));
    lay_pool(state);
    return Status::kOk;
  }
  // Finishes a footer on its way: the record before it says that it comes next.
  static Status finish_footer(detail::WriterState& state);
  // Tells each column where its chunk begins, the first one at `at`; returns the end of the last one.
  // noinline, as take_chunks: their variables are off the stack while a record is written.
  [[gnu::noinline]] static std::uint64_t place_chunks(detail::WriterState& state, std::uint64_t at);
  static std::uint64_t record_end(const detail::WriterState& state) {
    return forward_state(state).position + state.footer.now.slot_bytes;
  }
  // Returns whether the file has taken the row group's record: an interrupted call has had it taken. It is less than
  // 2 GiB ahead then.
  static bool has_taken_record(const detail::WriterState& state) {
    return static_cast<std::int32_t>(forward_state(state).file.taken_to() - record_end(state)) >= 0;
  }
  // Lets the file take the row group, whose chunks have their places; the next one begins at `next`. It is
  // inlined into its callers, of which a program links one.
  [[gnu::always_inline]] static Status take_row_group(detail::WriterState& state, std::uint64_t next) {
    if (!has_taken_record(state)) {
      const std::uint64_t at = forward_state(state).position;
      EntrySummary entry;
      entry.next = next;
      MICROPARQUET_TRY(write_record(state, at, entry));
      count_row_group(state, at, entry);
    }
    return take_chunks(state);
  }
  // Writes the row group that has been taken; the next one begins at `next`.
  static Status finish_row_group(detail::WriterState& state, std::uint64_t next);
  [[gnu::noinline]] static Status take_chunks(detail::WriterState& state);
};

// The layout for any schema, and for files that cannot be read back: their row groups' entries are kept in memory,
// and read there.
class AnyForwardLayout : public ForwardLayout {
 public:
  static Status begin_row_group(detail::WriterState& state);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);

 protected:
  // Keeps the row group's entry if the file cannot be read back, and its record has not been taken.
  static void keep_entry(detail::WriterState& state);
};

}  // namespace microparquet::write
