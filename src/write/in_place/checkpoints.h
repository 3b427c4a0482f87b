// Checkpoints, in the order that makes them durable:
//
//   hold      the open pages of all columns: they are stored, and every column ends at the same row
//   record    the entry of the open row group, into slot B: what the footer copies while rows keep arriving
//   barrier   all that the footer is going to describe is on the medium
//   footer    after the end of the file, in steps; then sync
//
// Until the sync the file ends in the footer before. A failure leaves the finished steps as they are, and the
// next tick or checkpoint begins again with all rows appended by then.
#pragma once

#include "base/try.h"
#include "write/footer.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"

namespace microparquet::write {

// Returns whether rows have arrived since the file had `rows` rows. The difference is below 2^32, so
// comparing the lower words suffices.
inline bool has_more_than(const detail::WriterState& state, std::uint32_t rows) {
  return static_cast<std::uint32_t>(rows_in_file(state)) != rows;
}

// Returns whether rows have arrived since the last footer on the medium.
bool has_new_rows(const detail::WriterState& state);

// Returns whether the segment, after the open row group, lacks space for another row group and `more`
// sectors, and no free segment exists.
bool segment_is_low(const detail::WriterState& state, Sectors more);

// Returns the time since the last checkpoint.
inline std::uint32_t elapsed_ms(const detail::WriterState& state) {
  return state.now_ms - in_place_of(state).last_checkpoint_ms;
}

// Sets the part of each column's extent that the draft leaves free.
[[gnu::always_inline]] inline void set_free_extents(const detail::WriterState& state) {
  for (detail::ColumnWriter& column : columns_of(state)) {
    const SectorIndex begin = SectorIndex::of(column.chunk_begin);
    column.free_begin = begin + Sectors::whole_in(column.chunk_bytes);
    column.free_end = begin + Sectors::whole_in(column.extent_bytes);
  }
}

// Begins the interval up to the next checkpoint.
inline void begin_interval(const detail::WriterState& state, InPlaceState& in_place) {
  in_place.last_checkpoint_ms = state.now_ms;
  in_place.bytes_since_checkpoint = 0;
}

// A log is slow if it stores less than a byte in this number of milliseconds.
inline constexpr std::uint32_t kSlow = 2;

// Values of InPlaceState::segment_shift that give the next segment one row group, or a few.
inline constexpr std::uint8_t kOneRowGroup = 31;
inline constexpr std::uint8_t kFewRowGroups = 1;

// Largest number of footers that a new segment may overwrite: a history whose sequences have a gap would pass
// for two.
inline constexpr Sectors kMostFooters(4000);

// Segments with checkpoints; see DESIGN.md, "Checkpoints". Layouts differ in functions of `Layout`:
//
//   lay_row_group  gives every column its place
//   settle         publishes a draft that may be the end already
//   hold_pages     prepares the open pages for the draft
//   describe_open  adds the open row group to the draft
//   reserve_draft  reserves space for the draft, of which nothing is written
template <typename Layout>
class Checkpoints : public InPlaceLayout {
  friend Layout;
  Checkpoints() = default;

 public:
  // Begins a row group, and perhaps a checkpoint. A nearly full segment needs a footer soon; begun now, it is
  // written a sector with each stored page. Between row groups a checkpoint cuts no pages and ends no
  // dictionaries: one that the forecast expects within the row group is therefore made before it.
  static Status begin_row_group(detail::WriterState& state) {
    MICROPARQUET_TRY(Layout::lay_row_group(state));
    const InPlaceState& in_place = in_place_of(state);
    if (in_place.footer_in_progress || !has_new_rows(state)) return Status::kOk;
    const detail::ExtentForecast* const forecast = state.plan->forecast;
    return segment_is_low(state, checkpoint_sectors(state)) ||
                   (forecast != nullptr && forecast->checkpoint_comes(state))
               ? begin_checkpoint(state)
               : Status::kOk;
  }

  static Status tick(detail::WriterState& state) {
    InPlaceState& in_place = in_place_of(state);
    if (in_place.footer_in_progress) {
      const bool late = elapsed_ms(state) > state.options->max_loss_ms / detail::kLateShare;
      return step(state, late ? detail::kLateWindows : 1);
    }
    if (!in_place.ticks || !has_new_rows(state)) {
      in_place.ticks = true;
      in_place.last_checkpoint_ms = state.now_ms;
      return Status::kOk;
    }
    const bool is_due =
        is_due_after(state, elapsed_ms(state), Sectors::holding(in_place.bytes_since_checkpoint));
    return is_due ? begin_checkpoint(state) : Status::kOk;
  }

  static Status checkpoint(detail::WriterState& state) {
    if (!has_new_rows(state)) return Layout::settle(state);
    if (!in_place_of(state).footer_in_progress ||
        has_more_than(state, static_cast<std::uint32_t>(state.footer.draft.contents.rows)))
      MICROPARQUET_TRY(begin_checkpoint(state));
    return step(state, kWhole);
  }

  // Stores a page and advances the footer, since tick() may be called seldom.
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column) {
    InPlaceState& in_place = in_place_of(state);
    const detail::PageLengthening* const lengthening = state.plan->lengthening;
    MICROPARQUET_TRY(
        (lengthening != nullptr ? lengthening->store_page : &InPlaceLayout::store_page)(state, column));
    in_place.bytes_since_checkpoint += column.sealed_bytes;
    return in_place.footer_in_progress ? step_where_space_is(state, 1) : Status::kOk;
  }

  // Ends a row group. A segment that is being added must be published before the next row group needs it.
  static Status end_row_group(detail::WriterState& state) {
    const InPlaceState& in_place = in_place_of(state);
    const bool adds_segment = state.footer.draft.contents.free_end > in_place.footers_begin;
    if (in_place.footer_in_progress && adds_segment && segment_is_low(state, Sectors(0)))
      MICROPARQUET_TRY(step_where_space_is(state, kWhole));
    return InPlaceLayout::end_row_group(state);
  }

  // Adds a segment that is needed at once: rows wait until its footer is written.
  static Status add_segment(detail::WriterState& state);

 private:
  // Begins the draft, without the open row group. A new segment is reserved first if the rest of this one is too short for a row group and
  // two more checkpoints. A slow log, below half a byte a millisecond, stays exactly one row group ahead: the
  // empty space that a cut leaves is most of its file.
  [[gnu::always_inline]] static Status begin_draft(detail::WriterState& state) {
    InPlaceState& in_place = in_place_of(state);
    in_place.segment_shift = kOneRowGroup;
    Sectors more(0);
    if (in_place.bytes_since_checkpoint >= elapsed_ms(state) / kSlow) {
      in_place.segment_shift = 0;
      more = checkpoint_sectors(state) + 2 * Sectors::holding(in_place.bytes_since_checkpoint);
    }
    SectorIndex at = in_place.published_end;
    if (segment_is_low(state, more)) {
      if (at - in_place.footers_begin > kMostFooters) in_place.footers_begin = at;
      const Status status = InPlaceLayout::reserve_segment(state);
      if (status == Status::kOk) {
        at = in_place.reserved_end;
      } else if (!is_full(status)) {
        return status;
      }
    }
    detail::FooterDraft& draft = state.footer.draft;
    draft.written = 0;  // a draft begun there has other contents
    begin_footer(state, at.offset());
    if (at != in_place.published_end) {
      draft.contents.free_begin = in_place.footers_begin;
      draft.contents.free_end = at;
    }
    return Status::kOk;
  }

 protected:
  static Status begin_checkpoint(detail::WriterState& state) {
    InPlaceState& in_place = in_place_of(state);
    in_place.footer_in_progress = false;  // gives up a footer on its way, unless it may be live
    MICROPARQUET_TRY(Layout::settle(state));
    MICROPARQUET_TRY(Layout::hold_pages(state));
    MICROPARQUET_TRY(begin_draft(state));
    if (state.row_group_open && state.rows != 0) MICROPARQUET_TRY(Layout::describe_open(state));
    MICROPARQUET_TRY(state.file->barrier());
    state.footer.draft.contents.sequence = ++state.footer.now.sequence;
    in_place.min_segment_sectors = 3 * Sectors::holding(in_place.bytes_since_checkpoint);
    begin_interval(state, in_place);
    in_place.footer_in_progress = true;
    return Status::kOk;
  }

  // Writes more of the footer on its way, at most `windows` windows, and publishes it when it is complete.
  static Status step(detail::WriterState& state, std::uint32_t windows) {
    if (!state.may_be_live) {
      if (state.footer.draft.written == 0) MICROPARQUET_TRY(Layout::reserve_draft(state));
      MICROPARQUET_TRY(write_footer(state, windows));
    }
    return Layout::settle(state);
  }

  // Writes more of the footer, and leaves it to the next tick to report a full medium: rows are stored as
  // long as they have space.
  [[gnu::noinline]] static Status step_where_space_is(detail::WriterState& state, std::uint32_t windows) {
    const Status status = step(state, windows);
    return is_full(status) ? Status::kOk : status;
  }
};

template <typename Layout>
Status Checkpoints<Layout>::add_segment(detail::WriterState& state) {
  InPlaceState& in_place = in_place_of(state);
  in_place.footer_in_progress = false;  // this footer has all contents of one on its way
  // The next checkpoint measures how fast the log is now; it begins with the second row group.
  const Options& options = *state.options;
  in_place.segment_shift = (options.row_group_bytes | options.row_group_rows) == 0 ? kFewRowGroups : 0;
  MICROPARQUET_TRY(InPlaceLayout::add_segment(state));
  if (state.durable_rows != 0) ++state.blocking_footers;
  begin_interval(state, in_place);
  return Status::kOk;
}

}  // namespace microparquet::write
