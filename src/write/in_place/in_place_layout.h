// Row groups in segments of the file; see DESIGN.md, "Segments".
#pragma once

#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/layout_ops.h"

namespace microparquet::write {

using detail::SectorIndex;
using detail::Sectors;

// What the layouts in place keep; zeros at first. All that a segment consists of begins on a block of
// Options::block_bytes, which is whole sectors: files may have 2 TiB. Where the next row group begins, or the
// open one, and the segment around it are what the next footer will say, footer.now.
struct InPlaceState {
  // Bytes before words: the shorter instructions reach no further.
  bool extents_planned;  // for the next row group
  // They have, or may have, the places that an interrupted row group has left, until that row group has
  // ended.
  bool extents_inherited;
  // With checkpoints:
  bool ticks;          // the time is known
  bool checkpointing;  // the open pages are being stored for a checkpoint
  bool footer_in_progress;
  bool closing;                // the footer in progress is the last one
  std::uint8_t segment_shift;  // the next segment has 2 to this times fewer row groups, but one at least

  SectorIndex published_end;             // the file ends in the block before this sector
  SectorIndex footers_begin;             // after the last segment; nowhere: there was no segment
  SectorIndex reserved_end;              // of the segment that was reserved last
  SectorIndex row_group;                 // where the open row group begins
  SectorIndex row_group_end;             // and where its last extent ends
  Sectors row_group_sectors;             // of a usual row group
  Sectors min_segment_sectors;           // that a segment should have
  std::uint32_t last_checkpoint_ms;      // when the last checkpoint was
  std::uint32_t bytes_since_checkpoint;  // stored since
  SectorIndex stale_end;                 // what lies before this may hold records of an interrupted history
  // Both null unless the file is resumed, and linked only then: what comes before its first row group or
  // its end without one, and before a place among what is stale is pointed at.
  Status (*continue_file)(detail::WriterState& state);
  Status (*empty_slots)(detail::WriterState& state, SectorIndex at);
};
static_assert(sizeof(InPlaceState) <= detail::kInPlaceStateBytes);

inline InPlaceState& in_place_of(const detail::WriterState& state) {
  return *static_cast<InPlaceState*>(state.layout_state);
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
  // Adds a segment, with a footer that is written at once.
  static Status add_segment(detail::WriterState& state);

  // Makes the written draft the end of the file.
  static Status publish(detail::WriterState& state);
  // The same, if it may be that already: before another footer is begun.
  static Status settle(detail::WriterState& state);
  // Reserves the file up to the sector `end`, and what it takes to close it.
  static Status reserve(const detail::WriterState& state, SectorIndex end);
  // Reserves space for a segment after the last one, over the footers that stand there, and for the footer after it:
  // from InPlaceState::footers_begin up to reserved_end. It is one with a segment that ends there.
  static Status reserve_segment(detail::WriterState& state);

  // The draft, which is that of the state, is the end of the file.
  static void count_arrived(detail::WriterState& state, detail::FooterDraft& draft);

  // Before the first row group of a file that is resumed, or before it is closed without one.
  static Status continue_file(detail::WriterState& state);
  static Status empty_slots(detail::WriterState& state, SectorIndex at);

 private:
  static Status write_whole(detail::WriterState& state);
};

// Where the next row group goes: into this segment, or with `may_be_free` into the free one if there is one. False: there
// is no such place.
bool find_place(detail::WriterState& state, bool may_be_free);

// Opens the next page of `column`, if its extent has space for one: the last one may be short, but not less
// than a sector.
void open_next_page(detail::ColumnWriter& column);

// The sealed page of `column` is in the file.
inline void go_to_next_page(detail::ColumnWriter& column) {
  column.page_stored();
  open_next_page(column);
}

// Nothing more fits after the end of the file: the medium is full, or the file has 2 TiB.
// Compared as words, for which compilers need no masks.
inline bool is_full(Status status) {
  const auto number = static_cast<unsigned>(status);
  return number == static_cast<unsigned>(Status::kNoSpace) ||
         number == static_cast<unsigned>(Status::kLimitReached);
}

// The sectors of a footer that says so much, and ends on a block.
Sectors footer_sectors(const detail::WriterState& state, const detail::FooterExtension& contents);

// What the footer that may have to close the file needs of the segment, with the row groups that are yet to
// be counted.
Sectors closing_sectors(const detail::WriterState& state);
#ifndef __OPTIMIZE_SIZE__
// The part of that which is for the index of a row group.
Sectors reserved_index_sectors(const detail::WriterState& state);
#endif

// What a checkpoint writes at most if it is made now: the columns' open pages, the record, the footer.
Sectors checkpoint_sectors(const detail::WriterState& state);

// Whether one is due when the last one was made that long ago, and so much was stored since.
inline bool is_due_after(const detail::WriterState& state, std::uint32_t elapsed_ms, Sectors stored) {
  const Options& options = *state.options;
  if (options.checkpoint_ms == 0) return false;
  if (elapsed_ms >= options.max_loss_ms) return true;
  if (elapsed_ms < options.checkpoint_ms) return false;
  const Sectors cost = checkpoint_sectors(state);
  return stored >= options.checkpoint_ratio * cost;
}

}  // namespace microparquet::write
