// Row groups in segments of the file; see DESIGN.md, "Segments".
#pragma once

#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/layout_ops.h"

namespace microparquet::write {

using detail::SectorIndex;
using detail::Sectors;

// State of the layouts in place, zero at first. All parts of a segment begin on a block of
// Options::block_bytes, a number of whole sectors: files may have 2 TiB. The next footer, footer.now, says
// where the open row group, or the next one, begins, and the segment around it.
struct InPlaceState {
  // Bytes come before words, within reach of the shorter instructions.
  bool extents_planned;  // extents of the next row group are planned
  // The extents have, or may have, the places that an interrupted row group has left, until that row group
  // has ended.
  bool extents_inherited;
  // Members for checkpoints:
  bool ticks;          // the time is known
  bool checkpointing;  // the open pages are being stored for a checkpoint
  bool footer_in_progress;
  bool closing;                // the footer in progress is the last one
  std::uint8_t segment_shift;  // the next segment has 2 to this times fewer row groups, but one at least

  SectorIndex published_end;             // first sector after the block in which the file ends
  SectorIndex footers_begin;             // end of the last segment; nowhere: there was no segment
  SectorIndex reserved_end;              // end of the segment that was reserved last
  SectorIndex row_group;                 // begin of the open row group
  SectorIndex row_group_end;             // end of its last extent
  Sectors row_group_sectors;             // size of a usual row group
  Sectors min_segment_sectors;           // smallest size of a segment
  std::uint32_t last_checkpoint_ms;      // time of the last checkpoint
  std::uint32_t bytes_since_checkpoint;  // bytes stored since the last checkpoint
  SectorIndex stale_end;                 // records of an interrupted history may lie before this
  // Functions for a resumed file, linked only with resume(); otherwise null. The first runs before the first
  // row group, or before the end without one. The second runs before a record points into the stale part.
  Status (*continue_file)(detail::WriterState& state);
  Status (*empty_slots)(detail::WriterState& state, SectorIndex at);
};
static_assert(sizeof(InPlaceState) <= detail::kInPlaceStateBytes);

inline InPlaceState& in_place_of(const detail::WriterState& state) {
  return *static_cast<InPlaceState*>(state.layout_state);
}

// Returns whether checkpoints are made while a row group is open.
inline bool has_checkpoints(const detail::WriterState& state) {
  return state.options->layout->checkpoints != CheckpointKind::kNone;
}

// Resumes after the last footer, which is the draft.
void resume_segments(detail::WriterState& state);

class InPlaceLayout {
 public:
  static Status open(detail::WriterState& state);
  static Status begin_row_group(detail::WriterState& state);
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);
  // Adds a segment, and writes its footer at once.
  static Status add_segment(detail::WriterState& state);

  // Makes the written draft the end of the file.
  static Status publish(detail::WriterState& state);
  // Publishes a draft that may be the end already, before another footer is begun.
  static Status settle(detail::WriterState& state);
  // Reserves the file up to the sector `end`, and the space to close it.
  static Status reserve(const detail::WriterState& state, SectorIndex end);
  // Reserves a segment after the last one, over the footers there, and space for the footer after it: from
  // InPlaceState::footers_begin up to reserved_end. It extends a segment that ends there.
  static Status reserve_segment(detail::WriterState& state);

  // Counts the draft, which is the state's, as the end of the file.
  static void count_arrived(detail::WriterState& state, detail::FooterDraft& draft);

  // Prepares a resumed file before its first row group, or before it is closed without one.
  static Status continue_file(detail::WriterState& state);
  static Status empty_slots(detail::WriterState& state, SectorIndex at);

 private:
  static Status write_whole(detail::WriterState& state);
};

// Finds a place for the next row group: in this segment, or with `may_be_free` in the free one if there is
// one. Returns false if there is no such place.
bool find_place(detail::WriterState& state, bool may_be_free);

// Plans a row group of the usual size.
void plan_usual(detail::WriterState& state);

// Opens the next page of `column`, if its extent has space for one: the last page may be short, but has at
// least a sector.
void open_next_page(detail::ColumnWriter& column);

// Goes to the next page after the sealed page of `column` is in the file.
inline void go_to_next_page(detail::ColumnWriter& column) {
  column.page_stored();
  open_next_page(column);
}

// Returns whether nothing more fits at the end of the file: the medium is full, or the file has 2 TiB.
// Comparing words spares compilers a mask.
inline bool is_full(Status status) {
  const auto number = static_cast<unsigned>(status);
  return number == static_cast<unsigned>(Status::kNoSpace) ||
         number == static_cast<unsigned>(Status::kLimitReached);
}

// Returns the sectors of a footer with these contents, rounded up to a block.
Sectors footer_sectors(const detail::WriterState& state, const detail::FooterExtension& contents);

// Returns the space in the segment for a footer that may have to close the file, with row groups not counted
// yet.
Sectors closing_sectors(const detail::WriterState& state);

// Returns the sectors of a record's slot.
inline Sectors record_sectors(const detail::WriterState& state) {
  return Sectors::whole_in(state.footer.now.slot_bytes);
}

// Returns the part of closing_sectors() for a row group's index, on desktops. While row groups are small, they use little of the
// memory for many pages: their index takes less than half of what they take. A device's memory is full of pages soon.
inline Sectors reserved_index_sectors(const detail::WriterState& state) {
  if (!state.options->layout->indexes_pages) return Sectors(0);
  constexpr std::uint32_t kOfColumn = 64;
  const Sectors most = state.plan->arena.after_rows - 2 * record_sectors(state);
  const Layout& layout = *state.options->layout;
  const std::uint32_t more = layout.extends_index ? static_cast<const ExtendedLayout&>(layout).file_bytes : 0;
  const Sectors usual = block_of(state).holding(in_place_of(state).row_group_sectors.bytes() / 2 +
                                                kOfColumn * state.plan->columns_count + more);
  return usual < most ? usual : most;
}

// Returns the most that a checkpoint made now would write: the columns' open pages, the record, the footer.
Sectors checkpoint_sectors(const detail::WriterState& state);

// Returns whether a checkpoint is due `elapsed_ms` after the last one, with `stored` sectors written since.
inline bool is_due_after(const detail::WriterState& state, std::uint32_t elapsed_ms, Sectors stored) {
  const Options& options = *state.options;
  if (options.checkpoint_ms == 0) return false;
  if (elapsed_ms >= options.max_loss_ms) return true;
  if (elapsed_ms < options.checkpoint_ms) return false;
  const Sectors cost = checkpoint_sectors(state);
  return stored >= options.checkpoint_ratio * cost;
}

}  // namespace microparquet::write
