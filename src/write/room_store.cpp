#include "write/room_store.h"

#include "microparquet/writer.h"
#include "util/try.h"
#include "write/extents.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

std::uint32_t record_sectors(const WriterState& state) {
  return state.plan->arena.record_bytes / detail::kSectorBytes;
}

// Of key-values that may yet be set.
constexpr std::uint32_t kKeyValues = 512;

// Two slots for its record, and the extents.
std::uint32_t plan_row_group(WriterState& state, std::uint32_t target_bytes) {
  const std::uint32_t sectors =
      2 * record_sectors(state) + plan_extents(state, target_bytes) / detail::kSectorBytes;
  rooms_of(state).row_group_sectors = sectors;
  return sectors;
}

// The file's size / 32, from 64 KiB to 64 MiB, unless the options say otherwise.
std::uint32_t target_bytes(const WriterState& state) {
  constexpr std::uint32_t kLeast = 64 << 10;
  constexpr std::uint32_t kMost = 64 << 20;
  const Options& options = *state.options;
  if (options.row_group_bytes != 0) return options.row_group_bytes;
  if (options.row_group_rows != 0) return detail::kMostRowGroupBytes;
  const std::uint32_t end = rooms_of(state).published_end;
  if (end > kMost / 16) return kMost;
  return end * 16 < kLeast ? kLeast : end * 16;
}

std::uint32_t block_sectors(const WriterState& state) {
  return state.options->block_bytes / detail::kSectorBytes;
}

// How many, in whole blocks.
std::uint32_t to_blocks(const WriterState& state, std::uint32_t bytes) {
  return to_sectors(detail::round_up(bytes, state.options->block_bytes));
}

// One of each column.
std::uint32_t page_sectors(const WriterState& state) {
  const detail::ArenaPlan& arena = state.plan->arena;
  return to_sectors(static_cast<std::uint32_t>(arena.bytes - arena.pages));
}

}  // namespace

std::uint32_t footer_sectors(const WriterState& state, const FooterExtension& said) {
  return to_blocks(state, footer_bytes(state, said));
}

std::uint32_t closing_sectors(const WriterState& state) {
  return to_blocks(state, footer_bytes(state, state.footer.now) + kKeyValues) + 2 * record_sectors(state);
}

std::uint32_t checkpoint_cost(const WriterState& state) {
  const std::uint32_t footer = footer_sectors(state, state.footer.now);
  return footer + state.plan->arena.cut_sectors + 2 * record_sectors(state);
}

Status RoomStore::open(WriterState& state) {
  MICROPARQUET_TRY(settle(state));
  if (rooms_of(state).published_end == 0) {
    begin_footer(state, 0);
    MICROPARQUET_TRY(write_footer(state, kWhole));
    MICROPARQUET_TRY(publish(state));
  }
  return state.footer.now.room_end != 0 ? Status::kOk : state.store->add_room(state);
}

// What the draft describes is on the medium before any of it.
Status RoomStore::write_whole(WriterState& state) {
  MICROPARQUET_TRY(state.file->barrier());
  return write_footer(state, kWhole);
}

// With blocks of more than a sector the first footer goes to the medium with that of the first room, and is
// published with it: a block that it shared with the end of a published file could not be written. Else it is
// published first, so that a cut loses no clusters that a FAT volume reserves for a file that has none yet.
Status RoomStore::publish(WriterState& state) {
  const detail::FooterDraft& draft = state.footer.draft;
  if (state.plan->blocks == nullptr || draft.at != 0)
    MICROPARQUET_TRY(state.file->sync(draft.at + draft.written));
  count_arrived(state, state.footer.draft);
  return Status::kOk;
}

Status RoomStore::settle(WriterState& state) { return state.may_be_live ? publish(state) : Status::kOk; }

void RoomStore::count_arrived(WriterState& state, detail::FooterDraft& draft) {
  FooterExtension& now = state.footer.now;
  Rooms& rooms = rooms_of(state);
  // A room that it adds begins at the end of the footer before it.
  if (draft.said.free_begin == rooms.published_end) {
    now.free_begin = draft.said.free_begin;
    now.free_end = draft.said.free_end;
  }
  if (draft.said.next == rooms.published_end) {
    now.next = draft.said.next;
    now.room_end = draft.said.room_end;
  }
  count_footer(state, draft);
  const std::uint32_t end = static_cast<std::uint32_t>(draft.at >> 9) + to_sectors(draft.written);
  rooms.published_end = detail::round_up(end, block_sectors(state));
  rooms.writing = false;
}

// Where the closing footer cannot go inside a room, there is space for it behind: with an entry for each row
// group that can lie before.
Status RoomStore::reserve(const WriterState& state, std::uint32_t end) {
  if (!state.shrinks) {
    const std::uint32_t closing = closing_sectors(state);
    const std::uint32_t record = record_sectors(state);
    const std::uint32_t row_groups = (end - state.footer.now.next) / (2 * record + page_sectors(state));
    end += closing + block_sectors(state) + row_groups * record;
  }
  // Sectors are counted in 32 bits.
  return end < rooms_of(state).published_end ? Status::kLimitReached : state.file->reserve(to_bytes(end));
}

// Rooms are large enough for their footers to be a 64th of the file, but hold no more than 16 row groups and
// an eighth of those there are: with small row groups the footers' sum stays in proportion to the last one.
// On a medium that is nearly full smaller rooms are tried as well.
Status RoomStore::reserve_room(WriterState& state) {
  constexpr std::uint32_t kFooterShare = 64;
  Rooms& rooms = rooms_of(state);
  const std::uint32_t closing = closing_sectors(state) + block_sectors(state);  // some before the first row
  const std::uint32_t footer = footer_sectors(state, state.footer.now) + record_sectors(state);
  const std::uint32_t row_group = rooms.row_group_sectors;
  std::uint32_t wanted = footer * kFooterShare;
  if (wanted < rooms.least_room) wanted = rooms.least_room;
  const std::uint32_t most = 16 + state.footer.now.row_groups / 8;
  std::uint32_t row_groups = wanted / row_group + 1;
  if (row_groups > most) row_groups = most;
  Status status = Status::kOk;
  do {
    rooms.reserved_end = rooms.published_end + row_groups * row_group + closing;
    status = reserve(state, rooms.reserved_end + footer);
    row_groups /= 2;
  } while (is_full(status) && row_groups != 0);
  return status;
}

Status RoomStore::add_room(WriterState& state) {
  plan_row_group(state, target_bytes(state));
  MICROPARQUET_TRY(reserve_room(state));
  Rooms& rooms = rooms_of(state);
  const std::uint32_t begin = rooms.published_end;
  begin_footer(state, to_bytes(rooms.reserved_end));
  FooterExtension& said = state.footer.draft.said;
  said.next = begin;
  said.room_end = rooms.reserved_end;
  MICROPARQUET_TRY(write_whole(state));
  MICROPARQUET_TRY(publish(state));
  rooms.planned = true;
  return Status::kOk;
}

// Where the row groups of a room must end: the closing footer has its place in the last room.
std::uint32_t RoomStore::rows_end(const WriterState& state) {
  const FooterExtension& now = state.footer.now;
  const std::uint32_t closing = now.free_begin != 0 ? 0 : closing_sectors(state);
  return now.room_end > closing ? now.room_end - closing : 0;
}

// Plans the next row group in what is left of its room, of such a size that an even number of them fills it;
// but none of less than half the usual size.
bool RoomStore::fit_row_group(WriterState& state) {
  const std::uint32_t usual_bytes = target_bytes(state);
  const std::uint32_t usual = plan_row_group(state, usual_bytes);
  const std::uint32_t begin = state.footer.now.next;
  const std::uint32_t end = rows_end(state);
  if (end < begin + usual / 2) return false;
  const std::uint32_t left = end - begin;
  const std::uint32_t row_groups = (left + usual / 4) / usual;
  const std::uint32_t share = row_groups > 1 ? left / row_groups : left;
  // What a plan takes beyond its target, for slots, margins and last pages, is taken off the target.
  std::uint32_t over =
      usual * detail::kSectorBytes > usual_bytes ? usual - usual_bytes / detail::kSectorBytes : 0;
  for (std::uint32_t target = share; target > over;) {
    target -= over;
    const std::uint32_t sectors = plan_row_group(state, target * detail::kSectorBytes);
    if (sectors <= share) return true;
    over = sectors - share;
  }
  plan_row_group(state, usual_bytes);
  return usual <= left;
}

bool RoomStore::fit_free_room(WriterState& state) {
  FooterExtension& now = state.footer.now;
  if (now.free_begin == 0) return false;
  now.next = now.free_begin;
  now.room_end = now.free_end;
  now.free_begin = 0;
  now.free_end = 0;
  return fit_row_group(state);
}

void RoomStore::lay_extents(WriterState& state) {
  std::uint64_t extent = to_bytes(state.footer.now.next + 2 * record_sectors(state));
  for (ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = extent;
    extent += column.extent_bytes;
  }
  if (const detail::Foresight* const foresight = state.plan->foresight; foresight != nullptr)
    extent = foresight->open_end(state, extent, to_bytes(rows_end(state)));
  rooms_of(state).row_group_end = static_cast<std::uint32_t>(extent >> 9);
}

Status RoomStore::begin_row_group(WriterState& state) {
  FooterExtension& now = state.footer.now;
  Rooms& rooms = rooms_of(state);
  if (rooms.go_on != nullptr) MICROPARQUET_TRY(rooms.go_on(state));
  if (!rooms.laid) {
    if (!rooms.planned) {
      MICROPARQUET_TRY(settle(state));  // it may be what adds a room
      // When no record says where this row group begins, it may begin in the free room.
      const bool fits =
          fit_row_group(state) || (now.row_groups == state.footer.row_groups && fit_free_room(state));
      if (!fits) MICROPARQUET_TRY(state.store->add_room(state));
      rooms.planned = true;
    }
    lay_extents(state);
  }
  if (now.next < rooms.stale_end) MICROPARQUET_TRY(rooms.empty_slots(state, now.next));
  rooms.planned = false;
  rooms.row_group = now.next;
  std::byte* buffer = state.pages;
  for (ColumnWriter& column : columns_of(state)) {
    column.open_page(buffer, 0);
    buffer += column.plan->page_bytes;
  }
  return Status::kOk;
}

Status RoomStore::store_page(WriterState& state, ColumnWriter& column) {
  MICROPARQUET_TRY(state.file->write_at(column.chunk_begin + column.chunk_bytes,
                                        Span<const std::byte>(column.sealed, column.sealed_bytes)));
  page_is_stored(state, column);
  return Status::kOk;
}

// Where the next row group goes: into this room, or into the free one if there is one.
void RoomStore::place_next(WriterState& state) {
  FooterExtension& now = state.footer.now;
  if (const detail::Foresight* const foresight = state.plan->foresight; foresight != nullptr)
    foresight->learn(state);
  for (const ColumnWriter& column : columns_of(state)) {
    const std::uint32_t end =
        static_cast<std::uint32_t>(column.chunk_begin >> 9) + to_blocks(state, column.chunk_bytes);
    if (end > now.next) now.next = end;
  }
  rooms_of(state).planned = fit_row_group(state) || fit_free_room(state);
}

Status RoomStore::end_row_group(WriterState& state) {
  const FooterExtension& now = state.footer.now;
  Rooms& rooms = rooms_of(state);
  if (now.next == rooms.row_group) place_next(state);  // else an interrupted try has
  if (now.next < rooms.stale_end) MICROPARQUET_TRY(rooms.empty_slots(state, now.next));
  RecordEntry entry;
  entry.next = to_bytes(now.next);
  const std::uint64_t at = to_bytes(rooms.row_group);
  MICROPARQUET_TRY(write_record(state, at, entry));
  count_row_group(state, at, entry);
  rooms.laid = false;
  return Status::kOk;
}

Status RoomStore::tick(WriterState& /*state*/) { return Status::kOk; }

Status RoomStore::checkpoint(WriterState& /*state*/) { return Status::kUnsupported; }

// The last footer goes behind the last used byte, inside the room, or at the beginning of the free one: until
// the smaller size is published, the file ends in the footer before it. Where neither is to be had, or the
// file cannot shrink, it goes to the end.
Status RoomStore::close(WriterState& state) {
  const FooterExtension& now = state.footer.now;
  detail::FooterDraft& draft = state.footer.draft;
  Rooms& rooms = rooms_of(state);
  if (!rooms.closing) {
    MICROPARQUET_TRY(settle(state));
    if (rooms.go_on != nullptr) MICROPARQUET_TRY(rooms.go_on(state));
    const std::uint32_t sectors = footer_sectors(state, now);
    std::uint32_t at = rooms.published_end;
    if (state.shrinks) {
      if (now.free_begin + sectors < now.free_end) at = now.free_begin;
      if (now.next + sectors <= now.room_end) at = now.next;
    }
    begin_footer(state, to_bytes(at));
    draft.said.free_begin = 0;
    draft.said.free_end = 0;
    MICROPARQUET_TRY(write_whole(state));
    rooms.closing = true;
  }
  if (state.shrinks && static_cast<std::uint32_t>(draft.at >> 9) < rooms.published_end) {
    MICROPARQUET_TRY(state.file->barrier());
    MICROPARQUET_TRY(state.file->shrink(draft.at + draft.written));
  }
  return publish(state);
}

// Going on with a file.

Status RoomStore::empty_slots(WriterState& state, std::uint32_t at) {
  MICROPARQUET_TRY(empty_slot(state, to_bytes(at)));
  MICROPARQUET_TRY(empty_slot(state, to_bytes(at) + state.plan->arena.record_bytes));
  return state.file->barrier();
}

// The interrupted row group is finished as the footer describes it. Where each column has room for a page
// left, the next one goes on in its extents.
bool RoomStore::lay_in_rests(WriterState& state) {
  Rooms& rooms = rooms_of(state);
  plan_row_group(state, target_bytes(state));  // a later room wants to know
  rooms.row_group_end = 0;
  for (ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = to_bytes(column.cut_begin);
    column.extent_bytes = (column.cut_end - column.cut_begin) * detail::kSectorBytes;
    if (column.extent_bytes < column.plan->page_bytes) return false;
    if (column.cut_end > rooms.row_group_end) rooms.row_group_end = column.cut_end;
  }
  return true;
}

// What an interrupted row group has left of its extents is given up: the next one begins behind what it used.
Status RoomStore::leave_rests(WriterState& state) {
  FooterExtension& now = state.footer.now;
  MICROPARQUET_TRY(empty_slots(state, now.next));
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.cut_begin > now.next) now.next = column.cut_begin;
  }
  rooms_of(state).laid = false;
  return Status::kOk;
}

// The row group that was open goes on in its own place, or the next one begins behind what it used: so it
// does where the file is closed before a row has come, for then no footer says any more what is left.
Status RoomStore::go_on(WriterState& state) {
  if (!state.resumed) return Status::kOk;
  const FooterExtension& now = state.footer.now;
  const Rooms& rooms = rooms_of(state);
  const bool closes = state.phase == detail::WriterPhase::kClosing;
  if (!closes) MICROPARQUET_TRY(reserve(state, rooms.published_end));
  if (rooms.laid && (closes || !lay_in_rests(state))) MICROPARQUET_TRY(leave_rests(state));
  const bool is_pointed_at = closes && now.next + 2 * record_sectors(state) <= now.room_end;
  return is_pointed_at ? empty_slots(state, now.next) : Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet {

std::uint32_t Writer::checkpoint_cost() const { return write::checkpoint_cost(state_); }

}  // namespace microparquet

namespace microparquet::detail {

using write::RoomStore;

const PageStore kRoomStore{
    &RoomStore::open, &RoomStore::begin_row_group, &RoomStore::store_page, &RoomStore::end_row_group,
    &RoomStore::tick, &RoomStore::checkpoint,      &RoomStore::close,      &RoomStore::add_room};

void resume_room_store(WriterState& state, std::uint64_t bytes) {
  const auto sectors = static_cast<std::uint32_t>((bytes + kSectorBytes - 1) >> 9);
  FooterExtension& now = state.footer.now;
  write::Rooms& rooms = write::rooms_of(state);
  rooms.laid = now.open_bytes != 0;
  now.open_bytes = 0;
  rooms.published_end = round_up(sectors, state.options->block_bytes / kSectorBytes);  // of its first footer
  // A closed file ends inside its last room. There is none then, and a footer names its own place.
  if (now.room_end >= sectors) now.room_end = 0;
  if (now.room_end == 0) now.next = rooms.published_end;
  rooms.stale_end = sectors;
  rooms.go_on = &RoomStore::go_on;
  rooms.empty_slots = &RoomStore::empty_slots;
}

}  // namespace microparquet::detail
