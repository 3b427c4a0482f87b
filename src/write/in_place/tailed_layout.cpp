#include "write/in_place/tailed_layout.h"

#include "base/bytes.h"
#include "base/try.h"
#include "format/key_value_writer.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/writer.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/in_place/checkpointed_layout.h"
#include "write/row_group.h"
#include "write/writer_reconnect.h"

namespace microparquet::write {

// Last sequence at which a file with a tail is resumed. Soon after it sequences would wrap, and recovery could
// not tell what came later.
constexpr std::uint32_t kLastSequence = 0xFFFEFFFF;

namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

// Footers may lie by turns that often before one stays: a history whose numbers have a gap would pass for two.
constexpr std::uint16_t kMostTurns = 1000;

void forget(TailOfFooter& tail) {
  util::clear_bytes(&tail, sizeof tail);
  tail.place = kNoPlace;
}

// Returns whether the open pages of all columns begin with the same row.
bool begin_alike(const WriterState& state) {
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.page_state != detail::PageState::kOpen || column.first_row != state.columns->first_row)
      return false;
  }
  return true;
}

// Returns whether as many rows as since the last checkpoint fit in the open page of every column. Otherwise one
// would fill before the others until the next checkpoint, which would have to cut them all.
bool fit_once_more(const WriterState& state) {
  const auto rows = static_cast<std::uint32_t>(rows_in_file(state) - state.durable_rows);
  for (ColumnWriter& column : columns_of(state)) {
    if (column.prepare_rows(rows) < rows) return false;
  }
  return true;
}

// Moves the draft before the last footer if there is space: this one is dead when the draft is published. Otherwise it follows
// the last footer, where an earlier one lies that is dead: it begins a sector later than that, or earlier, and so ends
// elsewhere. A medium that kept the size of a draft and lost its bytes would end in the earlier footer, and miss rows.
void place_by_turns(WriterState& state) {
  TailState& tail = tail_of(state);
  detail::FooterDraft& draft = state.footer.draft;
  const SectorIndex live = SectorIndex::of(state.footer.entries_begin - draft.contents.entries_offset);
  const bool is_last = SectorIndex::of(draft.offset) == tail.published_end;
  tail.drafted.shifted = tail.live.shifted;
  if (!state.shrinks || !is_last || tail.footers_begin == detail::kNowhere) return;
  if (++tail.turns >= kMostTurns) {
    tail.turns = 0;
    tail.footers_begin = tail.published_end;
  } else if (tail.footers_begin + footer_sectors(state, draft.contents) <= live) {
    draft.offset = tail.footers_begin.offset();
  } else {
    tail.drafted.shifted = !tail.live.shifted;
    if (tail.drafted.shifted) draft.offset += Sectors(1).bytes();
  }
}

// Lists the pages stored so far in the draft: as the last footer does, or by a record of them in slot A. No
// page is stored until the draft is published.
Status list_stored(WriterState& state, std::uint32_t stored) {
  TailState& tail = tail_of(state);
  FooterExtension& contents = state.footer.draft.contents;
  if (!tail.counted) {
    const std::uint64_t slot = tail.row_group.offset();
    const std::uint32_t rows = state.rows;
    EntrySummary entry;
    entry.next = slot + state.footer.now.slot_bytes;  // the record of the tail
    state.rows = stored;
    const Status status = write_record(state, slot, entry);
    state.rows = rows;
    MICROPARQUET_TRY(status);
    tail.drafted.listed = {entry.bytes, entry.crc};
    if (state.footer.now.row_groups == state.footer.row_groups) state.footer.first_record = slot;
  } else {
    tail.drafted.listed = tail.live.listed;
  }
  ++contents.row_groups;
  contents.entries_bytes += tail.drafted.listed.bytes;
  contents.finished_crc = tail.drafted.listed.crc;
  return Status::kOk;
}

// Describes the stored pages as one row group and the open ones in `place` as the next, or without open ones the
// stored pages as the open row group. noinline: its variables are off the stack while pages and heads are written.
[[gnu::noinline]] Status describe(WriterState& state, SectorIndex place) {
  TailState& tail = tail_of(state);
  FooterExtension& contents = state.footer.draft.contents;
  set_free_extents(state);
  const std::uint32_t stored = state.columns->first_row;
  tail.drafted.rows = state.rows - stored;
  if (stored != 0 && tail.drafted.rows != 0) MICROPARQUET_TRY(list_stored(state, stored));
  EntrySummary entry;
  MICROPARQUET_TRY(write_open_record(state, place, entry));
  contents.next = tail.row_group;
  contents.rows += state.rows;
  contents.open_bytes = entry.bytes;
  contents.entries_crc = entry.crc;
  return Status::kOk;
}

// Copies inherited key-values from the last footer in future: the one found by resume() may be written over.
void move_inherited(WriterState& state) {
  detail::InheritedKeyValues& inherited = state.inherited;
  if (inherited.bytes == 0) return;
  const FooterExtension& contents = state.footer.draft.contents;
  inherited.begin = state.footer.entries_begin + contents.entries_bytes + contents.open_bytes;
  if (inherited.count == 0) return;  // with the header of their list, and no others
  const std::uint32_t header = format::key_values_header_bytes(inherited.count + state.key_values_count);
  const std::uint32_t own =
      state.own_key_values_bytes - format::key_values_header_bytes(state.key_values_count);
  inherited.begin += header;
  inherited.bytes = state.key_values_bytes - header - own;
}

// Empties the slots before the row group differs from what an interrupted history has written. The slots name
// the footer from which this history continues.
Status empty_stale_slots(WriterState& state) {
  TailState& tail = tail_of(state);
  const FooterExtension& now = state.footer.now;
  if (!tail.slots_stale) return Status::kOk;
  const std::uint64_t slot = tail.row_group.offset();
  const EntrySummary empty{0, tail.entries_crc,
                           slot};  // the place tells them from those of a writer without tails
  MICROPARQUET_TRY(write_empty_slot(state, slot, empty));
  MICROPARQUET_TRY(write_empty_slot(state, slot + now.slot_bytes, empty));
  MICROPARQUET_TRY(state.file->barrier());
  tail.slots_stale = false;
  // A page of this boot has the newest row, or has been full without one. The pages of earlier boots end before, or with the
  // newest row if they were cut and none has come since.
  const std::uint32_t first = state.columns->first_row;
  tail.resumed_rows = first == state.rows ? state.rows + 1 : state.rows;
  return Status::kOk;
}

}  // namespace

// The first row after resume() continues the row group that is open, if its head and pages are whole.
Status TailedLayout::lay_row_group(WriterState& state) {
  if (tail_of(state).waits) {
    const Status status = take_up(state);
    tail_of(state).waits = status != Status::kOk && status != Status::kCorrupt;
    if (status != Status::kCorrupt) return status;
  }
  MICROPARQUET_TRY(settle(state));
  MICROPARQUET_TRY(InPlaceLayout::begin_row_group(state));
  TailState& tail = tail_of(state);
  tail.has_places = !tail.extents_inherited;
  tail.counted = false;
  tail.slots_stale = false;
  tail.described = detail::kNowhere;
  tail.live.place = tail.drafted.place = tail.safe = kNoPlace;
  return Status::kOk;
}

Status TailedLayout::end_draft(WriterState& state) {
  TailState& tail = tail_of(state);
  if (!tail.footer_in_progress || tail.drafted.place == kNoPlace) return Status::kOk;
  const Status status = step(state, kWhole);
  if (!is_full(status) || state.may_be_live) return status;
  tail.footer_in_progress = false;
  return Status::kOk;
}

void TailedLayout::stop_counting(WriterState& state) {
  TailState& tail = tail_of(state);
  if (!tail.counted) return;
  tail.counted = false;
  --state.footer.row_groups;
  state.footer.entries_bytes -= tail.live.listed.bytes;
}

void TailedLayout::count_listed(WriterState& state) {
  TailState& tail = tail_of(state);
  tail.counted = true;
  ++state.footer.row_groups;
  state.footer.entries_bytes += tail.live.listed.bytes;
}

namespace {

// Ends what relies on the stored pages as they are, but for the row group. noinline: most pages pass it by.
[[gnu::noinline]] Status prepare_to_store(WriterState& state) {
  MICROPARQUET_TRY(TailedLayout::end_draft(state));
  MICROPARQUET_TRY(empty_stale_slots(state));
  TailedLayout::stop_counting(state);
  return Status::kOk;
}

}  // namespace

Status TailedLayout::store_page(WriterState& state, ColumnWriter& column) {
  TailState& tail = tail_of(state);
  if (tail.footer_in_progress || tail.slots_stale || tail.counted) MICROPARQUET_TRY(prepare_to_store(state));
  tail.stored = true;
  if (!tail.checkpointing) ++tail.filled;
  return Checkpoints::store_page(state, column);
}

Status TailedLayout::end_row_group(WriterState& state) {
  MICROPARQUET_TRY(end_draft(state));
  MICROPARQUET_TRY(empty_stale_slots(state));
  return Checkpoints::end_row_group(state);
}

Status TailedLayout::add_segment(WriterState& state) {
  MICROPARQUET_TRY(Checkpoints::add_segment(state));
  count_arrived(state);
  return Status::kOk;
}

Status TailedLayout::close(WriterState& state) {
  if (!in_place_of(state).closing) MICROPARQUET_TRY(settle(state));
  return InPlaceLayout::close(state);
}

void TailedLayout::count_arrived(WriterState& state) {
  TailState& tail = tail_of(state);
  const FooterExtension& contents = state.footer.draft.contents;
  const bool describes = contents.open_bytes != 0 && contents.next == tail.row_group && state.row_group_open;
  tail.described = describes ? contents.next : detail::kNowhere;
  tail.described_rows = static_cast<std::uint32_t>(contents.rows - state.footer.now.rows);
  tail.live = tail.drafted;
  forget(tail.drafted);
  tail.safe = kNoPlace;
  move_inherited(state);
  tail.counted = describes && tail.live.listed.bytes != 0;
  if (!tail.slots_stale) tail.resumed_rows = 0;
}

// A footer before the last one is published by a smaller size.
Status TailedLayout::settle(WriterState& state) {
  if (!state.may_be_live) return Status::kOk;
  detail::FooterDraft& draft = state.footer.draft;
  if (draft.offset < tail_of(state).published_end.offset()) {
    MICROPARQUET_TRY(state.file->barrier());
    MICROPARQUET_TRY(state.file->shrink(draft.offset + draft.written));
    InPlaceLayout::count_arrived(state, draft);
  } else {
    MICROPARQUET_TRY(publish(state));
  }
  count_arrived(state);
  return Status::kOk;
}

// Leaves the pages open where they begin alike and take the next rows, too; otherwise cuts them, which makes
// them begin alike.
Status TailedLayout::hold_pages(WriterState& state) {
  TailState& tail = tail_of(state);
  forget(tail.drafted);
  tail.many_rows = tail.filled > state.plan->columns_count;
  tail.filled = 0;
  if (state.row_group_open && !state.row_group_ending && tail.has_places) {
    settle_rows(state);
    if (begin_alike(state) && fit_once_more(state)) return Status::kOk;
  }
  return CheckpointedLayout::hold_pages(state);
}

// The head of a row group whose pages are all stored lets it continue after a cut, too.
Status TailedLayout::describe_open(WriterState& state) {
  TailState& tail = tail_of(state);
  if (!tail.has_places) return describe(state, detail::kNowhere);
  FooterExtension& contents = state.footer.draft.contents;
  TailHead head;
  SectorIndex place = detail::kNowhere;
  MICROPARQUET_TRY(write_open_pages(state, place, head));
  MICROPARQUET_TRY(describe(state, place));
  tail.drafted.finished_crc = state.footer.now.finished_crc;
  place_by_turns(state);
  head.live_place = place_number(tail.number);
  head.continues = contents.entries_crc;
  head.described_rows = state.rows;
  if (tail.drafted.listed.bytes != 0) head.flags = kIsCounted;
  head.footers_begin = tail.footers_begin;
  if (contents.free_end > head.footers_begin)
    head.footers_begin = contents.free_end;  // of a segment that it adds
  MICROPARQUET_TRY(write_head(state, place, tail.drafted, head));
  tail.drafted.place = place_number(tail.number);
  tail.stored = false;  // a barrier follows
  return Status::kOk;
}

Status TailedLayout::reserve_draft(WriterState& state) {
  const SectorIndex at = SectorIndex::of(state.footer.draft.offset);
  return at < tail_of(state).published_end ? Status::kOk : CheckpointedLayout::reserve_draft(state);
}

// A save counts on the last footer: a footer on its way would replace that one, and is given up. Where a file cannot shrink it
// is finished: what has been written of it may count as a part of the file, which would not end in a footer then.
Status TailedLayout::save(WriterState& state) {
  TailState& tail = tail_of(state);
  const bool described =
      state.row_group_open && !state.row_group_ending && tail.has_places && tail.described == tail.row_group;
  if (!described) return checkpoint(state);
  MICROPARQUET_TRY(state.shrinks || !tail.footer_in_progress ? settle(state) : step(state, kWhole));
  if (rows_in_file(state) == tail.safe_rows || !has_new_rows(state)) return Status::kOk;
  tail.footer_in_progress = false;
  settle_rows(state);
  // Where some pages have rows and others have none, the next boot could not tell its own from those that were saved.
  const bool is_empty = state.columns->first_row == state.rows;
  for (const ColumnWriter& column : columns_of(state)) {
    const bool differs = (column.first_row == state.rows) != is_empty;
    if (differs || column.page_state == detail::PageState::kSealed) return checkpoint(state);
  }
  // What the head counts on is on the medium before the head may be.
  if (tail.stored) MICROPARQUET_TRY(state.file->barrier());
  tail.stored = false;
  TailHead head;
  SectorIndex place = detail::kNowhere;
  MICROPARQUET_TRY(write_open_pages(state, place, head));
  head.flags = kIsSave;
  if (tail.counted) head.flags |= kIsCounted;
  head.live_place = tail.live.place;
  head.continues = state.footer_crc;
  head.described_rows = tail.described_rows;
  head.footers_begin = tail.footers_begin;
  MICROPARQUET_TRY(write_head(state, place, tail.live, head));
  MICROPARQUET_TRY(state.file->barrier());
  tail.safe = place_number(tail.number);
  tail.safe_rows = rows_in_file(state);
  tail.saved_ms = state.now_ms;
  return Status::kOk;
}

// The first save of a row group is a checkpoint, and comes as soon as it has a row.
Status SavingTailedLayout::tick(WriterState& state) {
  TailState& tail = tail_of(state);
  MICROPARQUET_TRY(TailedLayout::tick(state));
  if (!tail.ticks || !state.row_group_open) return Status::kOk;
  if (tail.described != tail.row_group && !tail.footer_in_progress && has_new_rows(state))
    return begin_checkpoint(state);
  if (state.options->save_ms == 0 || state.now_ms - tail.saved_ms < state.options->save_ms)
    return Status::kOk;
  MICROPARQUET_TRY(end_draft(state));
  tail.saved_ms = state.now_ms;
  return save(state);
}

}  // namespace microparquet::write

namespace microparquet {

// With tails a head, and a record of the stored pages.
std::uint32_t Writer::checkpoint_sectors() const {
  const detail::Sectors sectors = write::checkpoint_sectors(state_);
  const bool keeps = detail::keeps_pages(*state_.plan);
  return (keeps ? sectors + write::record_sectors(state_) + write::head_sectors(state_) : sectors).count();
}

Status Writer::save() {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  const Layout& layout = *state_.options->layout;
  if (detail::saves_stream(layout)) return static_cast<const SavingLayout&>(layout).save(state_);
  return detail::keeps_pages(*state_.plan) ? write::TailedLayout::save(state_)
                                           : state_.layout->checkpoint(state_);
}

Status Writer::save_planned(detail::SaveRows save_rows) {
  if (state_.phase != detail::WriterPhase::kOpen) return Status::kWrongState;
  return save_rows(state_);
}

std::uint64_t Writer::safe_rows() const {
  const Layout& layout = *state_.options->layout;
  if (detail::saves_stream(layout)) return static_cast<const SavingLayout&>(layout).safe_rows(state_);
  if (!detail::keeps_pages(*state_.plan)) return state_.durable_rows;
  const std::uint64_t safe = write::tail_of(state_).safe_rows;
  return safe > state_.durable_rows ? safe : state_.durable_rows;
}

}  // namespace microparquet

namespace microparquet::detail {

using write::TailedLayout;

const LayoutOps kTailedLayoutOps = layout_ops<TailedLayout>();
const LayoutOps kSavingLayoutOps = layout_ops<write::SavingTailedLayout>();

Status resume_tailed_layout(WriterState& state) {
  MICROPARQUET_TRY(write::start_behind_footer(state));
  write::tail_of(state).open_bytes = state.footer.now.open_bytes;
  write::resume_segments(state);
  Status status = write::find_tail(state);
  const bool tailed = state.row_group_open || write::tail_of(state).waits;
  if (tailed && state.footer.now.sequence > write::kLastSequence) status = Status::kLimitReached;
  if (status != Status::kOk) util::clear_bytes(static_cast<FileProgress*>(&state), sizeof(FileProgress));
  return status;
}

}  // namespace microparquet::detail
