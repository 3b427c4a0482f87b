// Saves: the rows in memory made safe while the stream stays where it is. The file of a stream with saves:
//
//   PAR1 [footer without rows] [place][place] [segment: row groups ...] [footer] [segment ...] [footer] ...
//   place   [head: a sector] [what the stream would write next: record and chunks of the open row group]
//
// The row groups go to segments inside the published file, which a footer ends, as in place: what lies after the
// published size may be gone after a cut, whatever barrier came before. A save is written beside the stream, and the
// next resume() copies it to where it belongs.
#pragma once

#include <cstdint>

#include "format/save_head.h"
#include "write/forward/forward_layout.h"

namespace microparquet::write {

// State of the layout with saves.
struct SavingState : ForwardState {
  std::uint64_t stream_end;     // where the stream continues while a footer is written
  std::uint64_t published_end;  // end of the last footer on the medium
  std::uint64_t safe_rows;      // rows of the file when the last save was made
  std::uint32_t number;         // of the last save
  std::uint32_t saved_ms;       // time of the last save
  std::uint32_t redo_bytes;     // length of the save that is still to be copied; 0: there is none
  std::uint32_t redo_crc;
  detail::SectorIndex redo_begin;  // where it belongs
  bool away;      // a footer is being written, or was given up: the stream continues at stream_end
  bool adds;      // the footer on its way adds a segment
  bool closing;   // the last footer has been begun
  bool unproved;  // a row group was written since the last barrier
};
static_assert(sizeof(SavingState) <= detail::kForwardSavingStateBytes);

inline SavingState& saving_state(const detail::WriterState& state) {
  return *static_cast<SavingState*>(state.layout_state);
}

// The forward layout with saves.
class SavingForwardLayout : public AnyForwardLayout {
 public:
  static Status open(detail::WriterState& state);
  static Status begin_row_group(detail::WriterState& state);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);
  static Status save(detail::WriterState& state);

 private:
  static Status begin_checkpoint(detail::WriterState& state);
  static Status fit(detail::WriterState& state, std::uint32_t bytes);
  static Status write_save(detail::WriterState& state);
  static void assemble(detail::WriterState& state, SaveHead& head);
  static void take_apart(detail::WriterState& state);
};

// Starts the layout after the footer that the writer has started from, at the end of `size` bytes, and takes up the
// newest save that continues it.
Status start_from_save(detail::WriterState& state, std::uint64_t size, SaveHead& head);

// Takes what the head counts as the state of the stream: its bytes are copied to their place before anything else.
void go_on_from_save(detail::WriterState& state, const SaveHead& head);

}  // namespace microparquet::write
