#include "write/in_place/in_place_layout.h"

#include "base/try.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/desktop/borrowed_values.h"
#include "write/footer.h"
#include "write/in_place/end_row_group.h"
#include "write/in_place/extent_plan.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::kNowhere;
using detail::WriterState;

// Bytes kept free for key-values that are set later.
constexpr std::uint32_t kKeyValues = 512;

// Returns the target size of a row group: 24 to 72 KiB, plus 1/32 of the bytes logged so far (at most 64
// MiB), unless the options say otherwise. Bytes logged, not the file's size: that includes the unused space
// of row groups that ended early, and each row group would be larger than the one before.
std::uint32_t target_bytes(const WriterState& state) {
  constexpr std::uint32_t kMin = 24 << 10;
  constexpr std::uint32_t kRamp = 48 << 10;
  constexpr std::uint32_t kMax = 64 << 20;
  constexpr std::uint32_t kShare = 32 * detail::kRowFraction;
  const Options& options = *state.options;
  if (options.row_group_bytes != 0) return options.row_group_bytes;
  if (options.row_group_rows != 0) return detail::kMaxRowGroupBytes;
  auto rows = static_cast<std::uint32_t>(state.footer.now.rows / kShare);
  const std::uint32_t most = kMax / state.bytes_per_row;
  if (rows > most) rows = most;
  const std::uint32_t share = rows * state.bytes_per_row;
  return share + (share < kRamp / 2 ? 2 * share : kRamp) + kMin;
}

// Plans a row group: two slots for its record, and the extents.
Sectors plan_row_group(WriterState& state, std::uint32_t target_bytes) {
  return 2 * record_sectors(state) + Sectors::whole_in(plan_extents(state, target_bytes));
}

// Plans a row group of the usual size, and returns the target.
std::uint32_t plan_usual_row_group(WriterState& state) {
  const std::uint32_t bytes = target_bytes(state);
  in_place_of(state).row_group_sectors = plan_row_group(state, bytes);
  return bytes;
}

// Returns the smallest row group: one block a column.
Sectors least_sectors(const WriterState& state) {
  return state.plan->columns_count * block_of(state).sectors();
}

}  // namespace

void plan_usual(WriterState& state) { plan_usual_row_group(state); }

Sectors footer_sectors(const WriterState& state, const FooterExtension& contents) {
  return block_of(state).holding(footer_bytes(state, contents));
}

Sectors closing_sectors(const WriterState& state) {
  const Sectors footer = block_of(state).holding(footer_bytes(state, state.footer.now) + kKeyValues);
  if constexpr (!detail::kDesktop) return footer + state.plan->arena.after_rows;
  return footer + 2 * record_sectors(state) + reserved_index_sectors(state);
}

Sectors checkpoint_sectors(const WriterState& state) {
  const Sectors footer = footer_sectors(state, state.footer.now);
  return footer + state.plan->arena.open_page_sectors + 2 * record_sectors(state);
}

void open_next_page(ColumnWriter& column) {
  std::uint32_t bytes = column.plan->page_bytes;
  const std::uint32_t left = column.extent_bytes - column.chunk_bytes;
  if (left < bytes) {
    if (left < detail::kSectorBytes) return;
    bytes = left;
  }
  column.end = column.page + bytes;
  column.open_page();
}

Status InPlaceLayout::open(WriterState& state) {
  MICROPARQUET_TRY(settle(state));
  if (in_place_of(state).published_end == kNowhere) {
    begin_footer(state, 0);
    MICROPARQUET_TRY(write_footer(state, kWhole));
    MICROPARQUET_TRY(publish(state));
  }
  return state.footer.now.segment_end != kNowhere ? Status::kOk : state.layout->add_segment(state);
}

// Writes the whole draft, after everything that it describes is on the medium.
Status InPlaceLayout::write_whole(WriterState& state) {
  MICROPARQUET_TRY(state.file->barrier());
  return write_footer(state, kWhole);
}

// Publishes the draft. With blocks larger than a sector the first footer is published together with that of
// the first segment: if it shared a block with the end of a published file, that block could not be written
// again. Without such blocks it is published first: a cut then loses no clusters that a FAT volume reserves
// for a file of size 0.
Status InPlaceLayout::publish(WriterState& state) {
  const detail::FooterDraft& draft = state.footer.draft;
  if (state.plan->blocks == nullptr || draft.offset != 0)
    MICROPARQUET_TRY(state.file->sync(draft.offset + draft.written));
  count_arrived(state, state.footer.draft);
  return Status::kOk;
}

Status InPlaceLayout::settle(WriterState& state) { return state.may_be_live ? publish(state) : Status::kOk; }

void InPlaceLayout::count_arrived(WriterState& state, detail::FooterDraft& draft) {
  FooterExtension& now = state.footer.now;
  InPlaceState& in_place = in_place_of(state);
  // An added segment ends after the others. It extends the current segment if it begins at its end.
  SectorIndex segments_end = in_place.footers_begin;
  if (const SectorIndex end = draft.contents.free_end; end > segments_end) {
    if (draft.contents.free_begin == now.segment_end) {
      now.segment_end = end;
    } else {
      now.free_begin = draft.contents.free_begin;
      now.free_end = end;
    }
    segments_end = end;
  } else if (const SectorIndex segment_end = draft.contents.segment_end; segment_end > segments_end) {
    now.next = draft.contents.next;
    now.segment_end = segment_end;
    segments_end = segment_end;
  }
  in_place.footers_begin = segments_end;
  count_footer(state, draft);
  const SectorIndex end = SectorIndex::of(draft.offset) + Sectors::holding(draft.written);
  in_place.published_end = block_of(state).round_up(end);
  in_place.footer_in_progress = false;
}

// Reserves space up to `end`, and for the closing footer after it if that cannot go inside a segment: with an
// entry for each row group that can lie before.
Status InPlaceLayout::reserve(const WriterState& state, SectorIndex end) {
  if (!state.shrinks) {
    const Sectors closing = closing_sectors(state);
    const Sectors record = record_sectors(state);
    const std::uint32_t row_groups = (end - state.footer.now.next) / (2 * record + least_sectors(state));
    end += closing + block_of(state).sectors() + row_groups * record;
  }
  // Sector numbers have 32 bits.
  return end < in_place_of(state).published_end ? Status::kLimitReached : state.file->reserve(end.offset());
}

// Reserves a segment. Segments are large enough to keep their footers at a 64th of the file, but hold at most
// 16 row groups and an eighth of the existing ones, or fewer by InPlaceState::segment_shift: with small row
// groups the sum of footers stays in proportion to the last one. On a nearly full medium smaller segments are
// tried too. A segment begins over the footers after the one before: they are obsolete, the last one too,
// once its own footer is published.
Status InPlaceLayout::reserve_segment(WriterState& state) {
  constexpr std::uint32_t kFooterShare = 64;
  InPlaceState& in_place = in_place_of(state);
  if (in_place.footers_begin == kNowhere) in_place.footers_begin = in_place.published_end;
  const Sectors closing = closing_sectors(state) + record_sectors(state);  // counts one row group more
  const Sectors row_group = in_place.row_group_sectors;
  Sectors wanted = kFooterShare * closing;
  if (wanted < in_place.min_segment_sectors) wanted = in_place.min_segment_sectors;
  const std::uint32_t most = 15 + state.footer.now.row_groups / 8;
  std::uint32_t row_groups = wanted / row_group;
  if (row_groups > most) row_groups = most;
  row_groups = (row_groups >> in_place.segment_shift) + 1;
  for (;; row_groups /= 2) {
    in_place.reserved_end = in_place.published_end + row_groups * row_group + closing;
    const Status status = reserve(state, in_place.reserved_end + closing);
    if (!is_full(status) || row_groups == 1) return status;
  }
}

Status InPlaceLayout::add_segment(WriterState& state) {
  plan_usual_row_group(state);
  MICROPARQUET_TRY(reserve_segment(state));
  InPlaceState& in_place = in_place_of(state);
  begin_footer(state, in_place.reserved_end.offset());
  FooterExtension& contents = state.footer.draft.contents;
  contents.next = in_place.footers_begin;
  contents.segment_end = in_place.reserved_end;
  MICROPARQUET_TRY(write_whole(state));
  return publish(state);
}

namespace {

// Returns where the row groups of a segment must end: the last segment also holds the closing footer.
SectorIndex rows_end(const WriterState& state) {
  const FooterExtension& now = state.footer.now;
  if (now.free_begin != kNowhere) return now.segment_end;
  const Sectors closing = closing_sectors(state);
  return now.segment_end > kNowhere + closing ? now.segment_end - closing : kNowhere;
}

// Plans the next row group in the rest of its segment, with such a size that an integral number of row groups
// fills it; none is smaller than half the usual size.
bool fit_row_group(WriterState& state) {
  const std::uint32_t usual_bytes = plan_usual_row_group(state);
  const Sectors usual = in_place_of(state).row_group_sectors;
  const SectorIndex begin = state.footer.now.next;
  const SectorIndex end = rows_end(state);
  if (end < begin + usual / 2) return false;
  const Sectors left = end - begin;
  std::uint32_t row_groups = (left + usual / 4) / usual;
  if (row_groups == 0) row_groups = 1;
  const Sectors share = left / row_groups;
  if constexpr (detail::kDesktop) {
    // A fixed number of rows must not leave one over because a row's size was rounded up.
    if (state.options->row_group_rows != 0 && state.options->row_group_bytes == 0 && usual <= share)
      return true;
  }
  // Subtract from the target what a plan takes beyond it: slots, margins and last pages.
  Sectors over(0);
  if (usual.bytes() > usual_bytes) over = usual - Sectors::whole_in(usual_bytes);
  for (Sectors target = share; target > over;) {
    target -= over;
    const Sectors sectors = plan_row_group(state, target.bytes());
    if (sectors <= share) return true;
    over = sectors - share;
  }
  return plan_row_group(state, usual_bytes) <= left;
}

}  // namespace

bool find_place(WriterState& state, bool may_be_free) {
  FooterExtension& now = state.footer.now;
  while (!fit_row_group(state)) {
    if (!may_be_free || now.free_begin == kNowhere) return false;
    now.next = now.free_begin;
    now.segment_end = now.free_end;
    now.free_begin = kNowhere;
    now.free_end = kNowhere;
  }
  return true;
}

namespace {

void lay_extents(WriterState& state) {
  SectorIndex end = lay_planned(state, (state.footer.now.next + 2 * record_sectors(state)).offset());
  if (const detail::ExtentForecast* const forecast = state.plan->forecast; forecast != nullptr)
    end = forecast->extend_last(state, end, rows_end(state));
  in_place_of(state).row_group_end = end;
}

}  // namespace

Status InPlaceLayout::begin_row_group(WriterState& state) {
  FooterExtension& now = state.footer.now;
  InPlaceState& in_place = in_place_of(state);
  if (in_place.continue_file != nullptr) MICROPARQUET_TRY(in_place.continue_file(state));
  if (!in_place.extents_inherited) {
    if (!in_place.extents_planned) {
      MICROPARQUET_TRY(settle(state));  // settling may add a segment
      // It may begin in the free segment if no record says yet where it begins.
      if (!find_place(state, now.row_groups == state.footer.row_groups))
        MICROPARQUET_TRY(state.layout->add_segment(state));
    }
    lay_extents(state);
  }
  if (now.next < in_place.stale_end) MICROPARQUET_TRY(in_place.empty_slots(state, now.next));
  in_place.extents_planned = false;
  in_place.row_group = now.next;
  std::byte* buffer = pages_of(state);
  for (ColumnWriter& column : columns_of(state)) {
    column.begin_chunk();
    column.page = buffer;
    buffer += column.plan->page_bytes;
    open_next_page(column);
  }
  return Status::kOk;
}

Status InPlaceLayout::store_page(WriterState& state, ColumnWriter& column) {
  if constexpr (detail::kDesktop) {
    if (are_borrowed(column)) {
      MICROPARQUET_TRY(store_borrowed(state, column));
      go_to_next_page(column);
      return Status::kOk;
    }
  }
  MICROPARQUET_TRY(state.file->write_at(column.chunk_begin + column.chunk_bytes,
                                        Span<const std::byte>(column.sealed, column.sealed_bytes)));
  go_to_next_page(column);
  return Status::kOk;
}

Status InPlaceLayout::end_row_group(WriterState& state) {
  InPlaceState& in_place = in_place_of(state);
  if (!has_passed_chunks(state, in_place)) {
    MICROPARQUET_TRY(pass_chunks(state));
    plan_next(state);
  }
  return write_last_record(state, in_place);
}

Status InPlaceLayout::tick(WriterState& /*state*/) { return Status::kOk; }

Status InPlaceLayout::checkpoint(WriterState& /*state*/) { return Status::kUnsupported; }

// Writes the last footer after the last used byte, inside the segment or at the beginning of the free one:
// the file ends in the footer before it until the smaller size is published. It goes to the end if neither
// has space, or the file cannot shrink.
Status InPlaceLayout::close(WriterState& state) {
  const FooterExtension& now = state.footer.now;
  detail::FooterDraft& draft = state.footer.draft;
  InPlaceState& in_place = in_place_of(state);
  if (!in_place.closing) {
    MICROPARQUET_TRY(settle(state));
    if (in_place.continue_file != nullptr) MICROPARQUET_TRY(in_place.continue_file(state));
    const Sectors sectors = footer_sectors(state, now);
    SectorIndex at = in_place.published_end;
    if (state.shrinks) {
      if (now.free_begin + sectors < now.free_end) at = now.free_begin;
      if (now.next + sectors <= now.segment_end) at = now.next;
    }
    begin_footer(state, at.offset());
    draft.contents.free_begin = kNowhere;
    draft.contents.free_end = kNowhere;
    MICROPARQUET_TRY(write_whole(state));
    in_place.closing = true;
  }
  if (state.shrinks && SectorIndex::of(draft.offset) < in_place.published_end) {
    MICROPARQUET_TRY(state.file->barrier());
    MICROPARQUET_TRY(state.file->shrink(draft.offset + draft.written));
  }
  return publish(state);
}

// Functions for a resumed file follow.

Status InPlaceLayout::empty_slots(WriterState& state, SectorIndex at) {
  MICROPARQUET_TRY(empty_slot(state, at.offset()));
  MICROPARQUET_TRY(empty_slot(state, at.offset() + state.footer.now.slot_bytes));
  return state.file->barrier();
}

namespace {

// Finishes the interrupted row group as the footer describes it. The next one continues in its extents if
// each column has space for a page left.
bool use_leftover_extents(WriterState& state, InPlaceState& in_place) {
  plan_usual_row_group(state);  // a later segment needs its size
  in_place.row_group_end = kNowhere;
  for (ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = column.free_begin.offset();
    column.extent_bytes = (column.free_end - column.free_begin).bytes();
    if (column.extent_bytes < column.plan->page_bytes) return false;
    if (column.free_end > in_place.row_group_end) in_place.row_group_end = column.free_end;
  }
  return true;
}

// Gives up the rests of an interrupted row group's extents: the next one begins after its used part.
Status leave_leftover_extents(WriterState& state, InPlaceState& in_place) {
  FooterExtension& now = state.footer.now;
  MICROPARQUET_TRY(InPlaceLayout::empty_slots(state, now.next));
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.free_begin > now.next) now.next = column.free_begin;
  }
  in_place.extents_inherited = false;
  return Status::kOk;
}

}  // namespace

// Continues the interrupted row group in its extents, or begins the next one after its used part. It does the
// latter when closing before a row came: the closing footer no longer describes the rests.
Status InPlaceLayout::continue_file(WriterState& state) {
  if (!state.resumed) return Status::kOk;
  const FooterExtension& now = state.footer.now;
  InPlaceState& in_place = in_place_of(state);
  const bool closes = state.phase == detail::WriterPhase::kClosing;
  if (!closes) MICROPARQUET_TRY(reserve(state, in_place.published_end));
  if (in_place.extents_inherited && (closes || !use_leftover_extents(state, in_place)))
    MICROPARQUET_TRY(leave_leftover_extents(state, in_place));
  const bool is_pointed_at = closes && now.next + 2 * record_sectors(state) <= now.segment_end;
  return is_pointed_at ? empty_slots(state, now.next) : Status::kOk;
}

void resume_segments(WriterState& state) {
  const detail::FooterDraft& last = state.footer.draft;
  FooterExtension& now = state.footer.now;
  InPlaceState& in_place = in_place_of(state);
  in_place.extents_inherited = now.open_bytes != 0;
  now.open_bytes = 0;
  const SectorIndex end = block_of(state).round_up(SectorIndex::from(last.offset + last.written));
  in_place.published_end = end;
  in_place.footers_begin = end;  // the beginning of earlier footers is unknown
  // A closed file ends inside its last segment: the writer has no segment then, and the footer names its own
  // place. Rows continue in the free segment if there is one, from which the space to reserve is counted.
  if (now.segment_end >= end) now.segment_end = kNowhere;
  if (now.segment_end == kNowhere) now.next = now.free_begin != kNowhere ? now.free_begin : end;
  in_place.stale_end = end;
  in_place.continue_file = &InPlaceLayout::continue_file;
  in_place.empty_slots = &InPlaceLayout::empty_slots;
}

}  // namespace microparquet::write

namespace microparquet::detail {

using write::InPlaceLayout;

const LayoutOps kInPlaceLayoutOps = layout_ops<InPlaceLayout>();

Status resume_in_place_layout(WriterState& state) {
  MICROPARQUET_TRY(write::start_behind_footer(state));
  write::resume_segments(state);
  return Status::kOk;
}

}  // namespace microparquet::detail
