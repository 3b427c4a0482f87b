// A checkpoint in the order that makes it durable:
//
//   cut       the open pages of all columns are stored: every column ends at the same row
//   record    the entry of the open row group, into slot B: what the footer copies while rows go on arriving
//   barrier   all that the footer is going to describe is on the medium
//   footer    behind the end of the file, in steps; then sync
//
// Until the sync the file ends in the footer before. A failure leaves what is done as it is, and the next
// tick or checkpoint begins anew with the rows there are by then.
#include "write/checkpoint_store.h"

#include "util/try.h"
#include "write/record.h"
#include "write/rows.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

// The first room should last until the first checkpoint.
constexpr std::uint32_t kLeastRoom = (512 << 10) / detail::kSectorBytes;

// Whether rows have arrived since the file had `rows` rows; less than 2^32, so the lower words tell.
bool has_more_than(const WriterState& state, std::uint32_t rows) {
  return static_cast<std::uint32_t>(rows_in_file(state)) != rows;
}

// Since the last footer on the medium.
[[gnu::noinline]] bool has_new_rows(const WriterState& state) {
  return has_more_than(state, static_cast<std::uint32_t>(state.durable_rows));
}

void begin_interval(WriterState& state) {
  Rooms& rooms = rooms_of(state);
  rooms.cut_ms = state.now_ms;
  rooms.cut_bytes = 0;
}

void want_room(Rooms& rooms, std::uint32_t sectors) {
  if (sectors > rooms.least_room) rooms.least_room = sectors;
}

// Whether less than `needed` sectors of the room are left behind the open row group, and there is no free
// one.
bool room_is_low(const WriterState& state, std::uint32_t needed) {
  const FooterExtension& now = state.footer.now;
  const std::uint32_t open_end = rooms_of(state).row_group_end;
  const std::uint32_t end = open_end > now.next ? open_end : now.next;
  return now.free_begin == 0 && end + needed + closing_sectors(state) > now.room_end;
}

// Since the last checkpoint.
std::uint32_t elapsed_ms(const WriterState& state) { return state.now_ms - rooms_of(state).cut_ms; }

bool is_due(const WriterState& state) {
  const std::uint32_t elapsed = elapsed_ms(state);
  const Options& options = *state.options;
  if (options.checkpoint_ms == 0) return false;
  if (elapsed >= options.max_loss_ms) return true;
  if (elapsed < options.checkpoint_ms) return false;
  const std::uint32_t cost = checkpoint_cost(state);
  return to_sectors(rooms_of(state).cut_bytes) >= state.options->checkpoint_share * cost;
}

// Behind a new room, if what is left of this one would not do for a row group and two more checkpoints.
Status begin_draft(WriterState& state) {
  Rooms& rooms = rooms_of(state);
  Status status = Status::kNoSpace;
  const std::uint32_t cost = checkpoint_cost(state);
  if (room_is_low(state, cost + rooms.row_group_sectors + 2 * to_sectors(rooms.cut_bytes))) {
    status = RoomStore::reserve_room(state);
    if (status != Status::kOk && !is_full(status)) return status;
  }
  const bool adds_room = status == Status::kOk;
  detail::FooterDraft& draft = state.footer.draft;
  draft.written = 0;  // what had been begun there would not say the same
  begin_footer(state, to_bytes(adds_room ? rooms.reserved_end : rooms.published_end));
  if (adds_room) {
    draft.said.free_begin = rooms.published_end;
    draft.said.free_end = rooms.reserved_end;
  }
  return Status::kOk;
}

// A function of its own, so that what it keeps on the stack is gone while pages are closed.
[[gnu::noinline]] Status describe_open(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    const auto begin = static_cast<std::uint32_t>(column.chunk_begin >> 9);
    column.cut_begin = begin + (column.chunk_bytes >> 9);
    column.cut_end = begin + (column.extent_bytes >> 9);
  }
  RecordEntry entry;
  entry.next = 0;
  const std::uint32_t place = rooms_of(state).row_group;
  const std::uint64_t slot = to_bytes(place) + state.plan->arena.record_bytes;
  MICROPARQUET_TRY(write_record(state, slot, entry));
  FooterExtension& said = state.footer.draft.said;
  said.next = place;
  said.rows += state.rows;
  said.open_bytes = entry.bytes;
  said.entries_crc = entry.crc;
  return Status::kOk;
}

}  // namespace

// A footer will be needed anyway when the room is used up, so one is begun in time: each page stored will
// write a sector of it. Between row groups no page is cut for it.
Status CheckpointStore::begin_row_group(WriterState& state) {
  MICROPARQUET_TRY(RoomStore::begin_row_group(state));
  const Rooms& rooms = rooms_of(state);
  if (rooms.writing || !has_new_rows(state)) return Status::kOk;
  const std::uint32_t cost = checkpoint_cost(state);
  return room_is_low(state, cost + rooms.row_group_sectors) ? cut(state) : Status::kOk;
}

Status CheckpointStore::tick(WriterState& state) {
  Rooms& rooms = rooms_of(state);
  if (rooms.writing) {
    const bool late = elapsed_ms(state) > state.options->max_loss_ms / detail::kLateShare;
    return step(state, late ? detail::kLateWindows : 1);
  }
  if (!rooms.ticks || !has_new_rows(state)) {
    rooms.ticks = true;
    rooms.cut_ms = state.now_ms;
    return Status::kOk;
  }
  return is_due(state) ? cut(state) : Status::kOk;
}

Status CheckpointStore::checkpoint(WriterState& state) {
  if (!has_new_rows(state)) return RoomStore::settle(state);
  if (!rooms_of(state).writing ||
      has_more_than(state, static_cast<std::uint32_t>(state.footer.draft.said.rows)))
    MICROPARQUET_TRY(cut(state));
  return step(state, kWhole);
}

Status CheckpointStore::cut(WriterState& state) {
  Rooms& rooms = rooms_of(state);
  rooms.writing = false;  // what is on its way is given up, unless it may be live
  MICROPARQUET_TRY(RoomStore::settle(state));
  rooms.cutting = true;
  const Status status = close_pages(state);
  rooms.cutting = false;
  MICROPARQUET_TRY(status);
  const detail::PageLengthening* const lengthening = state.plan->lengthening;
  if (state.row_group_open && lengthening != nullptr && !lengthening->pages_end_on_blocks(state))
    MICROPARQUET_TRY(write::end_row_group(state));
  MICROPARQUET_TRY(begin_draft(state));
  if (state.row_group_open && state.rows != 0) MICROPARQUET_TRY(describe_open(state));
  MICROPARQUET_TRY(state.file->barrier());
  state.footer.draft.said.sequence = ++state.footer.now.sequence;
  want_room(rooms, 3 * to_sectors(rooms.cut_bytes));
  begin_interval(state);
  rooms.writing = true;
  return Status::kOk;
}

Status CheckpointStore::step(WriterState& state, std::uint32_t windows) {
  const detail::FooterDraft& draft = state.footer.draft;
  if (!state.may_be_live) {
    if (draft.written == 0) {
      const std::uint32_t footer = footer_sectors(state, draft.said);
      MICROPARQUET_TRY(RoomStore::reserve(state, static_cast<std::uint32_t>(draft.at >> 9) + footer));
    }
    MICROPARQUET_TRY(write_footer(state, windows));
  }
  return RoomStore::settle(state);
}

// The footer goes on with each page, also where tick() is seldom called. A full medium is for the next tick
// to say: the page is stored.
Status CheckpointStore::store_page(WriterState& state, ColumnWriter& column) {
  Rooms& rooms = rooms_of(state);
  const detail::PageLengthening* const lengthening = rooms.cutting ? state.plan->lengthening : nullptr;
  MICROPARQUET_TRY(
      (lengthening != nullptr ? lengthening->store_page : &RoomStore::store_page)(state, column));
  rooms.cut_bytes += column.sealed_bytes;
  const Status status = rooms.writing ? step(state, 1) : Status::kOk;
  return is_full(status) ? Status::kOk : status;
}

// The room that is being added must be there before it is needed.
Status CheckpointStore::end_row_group(WriterState& state) {
  const Rooms& rooms = rooms_of(state);
  const bool adds_room = state.footer.draft.said.free_begin == rooms.published_end;
  if (rooms.writing && adds_room && room_is_low(state, rooms.row_group_sectors))
    MICROPARQUET_TRY(step(state, kWhole));
  return RoomStore::end_row_group(state);
}

// A room that was not there in time: rows wait until its footer is written.
Status CheckpointStore::add_room(WriterState& state) {
  Rooms& rooms = rooms_of(state);
  rooms.writing = false;  // this footer says all that one on its way would
  want_room(rooms, kLeastRoom);
  MICROPARQUET_TRY(RoomStore::add_room(state));
  if (state.durable_rows != 0) ++state.forced_footers;
  begin_interval(state);
  return Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet::detail {

using write::CheckpointStore;

const PageStore kCheckpointStore{&write::RoomStore::open,      &CheckpointStore::begin_row_group,
                                 &CheckpointStore::store_page, &CheckpointStore::end_row_group,
                                 &CheckpointStore::tick,       &CheckpointStore::checkpoint,
                                 &write::RoomStore::close,     &CheckpointStore::add_room};

}  // namespace microparquet::detail
