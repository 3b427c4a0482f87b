#include "write/room_store.h"

#include <new>

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
  return 2 * record_sectors(state) + plan_extents(state, target_bytes) / detail::kSectorBytes;
}

}  // namespace

std::uint32_t closing_sectors(const WriterState& state) {
  return to_sectors(footer_bytes(state, state.footer.now) + kKeyValues) + 2 * record_sectors(state);
}

// One of each column.
std::uint32_t page_sectors(const WriterState& state) {
  const detail::ArenaPlan& arena = state.plan->arena;
  return to_sectors(static_cast<std::uint32_t>(arena.bytes - arena.pages));
}

std::uint32_t checkpoint_cost(const WriterState& state) {
  return to_sectors(footer_bytes(state, state.footer.now)) + page_sectors(state) + 2 * record_sectors(state);
}

// The file's size / 32, from 64 KiB to 64 MiB, unless the options say otherwise.
std::uint32_t RoomStore::target_bytes(const Options& options) const {
  constexpr std::uint32_t kLeast = 64 << 10;
  constexpr std::uint32_t kMost = 64 << 20;
  if (options.row_group_bytes != 0) return options.row_group_bytes;
  if (options.row_group_rows != 0) return detail::kMostRowGroupBytes;
  if (published_end_ > kMost / 16) return kMost;
  const std::uint32_t part = published_end_ * 16;
  return part < kLeast ? kLeast : part;
}

Status RoomStore::open(WriterState& state) {
  if (published_end_ == 0) {
    begin_footer(state, kMagicBytes);
    MICROPARQUET_TRY(write_footer(state, true));
    MICROPARQUET_TRY(publish(state));
  }
  return add_room(state);
}

// What the draft describes is on the medium before any of it.
Status RoomStore::write_whole(WriterState& state) {
  MICROPARQUET_TRY(state.file->barrier());
  return write_footer(state, true);
}

Status RoomStore::publish(WriterState& state) {
  MICROPARQUET_TRY(publish_footer(state));
  const detail::FooterDraft& draft = state.footer.draft;
  published_end_ = static_cast<std::uint32_t>(draft.at >> 9) + to_sectors(draft.written);
  return Status::kOk;
}

// Where the closing footer cannot go inside a room, there is space for it behind: with an entry for each row
// group that the rooms can hold, `added` sectors of another room included.
std::uint32_t RoomStore::closing_behind(const WriterState& state, std::uint32_t added) {
  if (state.abilities.shrink) return 0;
  const FooterExtension& now = state.footer.now;
  const std::uint32_t record = record_sectors(state);
  std::uint32_t space = added + now.free_end - now.free_begin;
  if (now.room_end > now.next) space += now.room_end - now.next;
  return closing_sectors(state) + to_sectors(kKeyValues) +
         space / (2 * record + page_sectors(state)) * record;
}

// Rooms are large enough for their footers to be a 64th of the file, but hold no more than 16 row groups and
// an eighth of those there are: with small row groups the footers' sum stays in proportion to the last one.
// On a medium that is nearly full a room of one row group is tried as well.
Status RoomStore::reserve_room(WriterState& state, std::uint32_t begin, std::uint32_t row_group,
                               std::uint32_t& end) {
  constexpr std::uint32_t kFooterShare = 64;
  const std::uint32_t footer = to_sectors(footer_bytes(state, state.footer.now)) + record_sectors(state);
  const std::uint32_t closing = closing_sectors(state) + to_sectors(kKeyValues);  // some before the first row
  const std::uint32_t most = 16 + state.footer.now.row_groups / 8;
  const std::uint32_t wanted = footer * kFooterShare < least_room_ ? least_room_ : footer * kFooterShare;
  std::uint32_t row_groups = 1;
  while (row_groups < most && row_groups * row_group < wanted) ++row_groups;
  for (;; row_groups = 1) {
    end = begin + row_groups * row_group + closing;
    const Status status = state.file->reserve(to_bytes(end + footer + closing_behind(state, end - begin)));
    if (status == Status::kOk) return status;
    if (status != Status::kNoSpace || row_groups == 1) return status;
  }
}

Status RoomStore::add_room(WriterState& state) {
  row_group_sectors_ = plan_row_group(state, target_bytes(*state.options));
  const std::uint32_t begin = published_end_;
  std::uint32_t end = 0;
  MICROPARQUET_TRY(reserve_room(state, begin, row_group_sectors_, end));
  begin_footer(state, to_bytes(end));
  FooterExtension& said = state.footer.draft.said;
  said.next = begin;
  said.room_end = end;
  MICROPARQUET_TRY(write_whole(state));
  MICROPARQUET_TRY(publish(state));
  state.footer.now.next = begin;
  state.footer.now.room_end = end;
  planned_ = true;
  return Status::kOk;
}

// Where the row groups of a room must end: the closing footer has its place in the last room.
std::uint32_t RoomStore::rows_end(const WriterState& state, std::uint32_t room_end) {
  const std::uint32_t closing = state.footer.now.free_begin != 0 ? 0 : closing_sectors(state);
  return room_end > closing ? room_end - closing : 0;
}

// Plans a row group at `at`, of such a size that an even number of them fills the room; but none of less than
// half the usual size.
bool RoomStore::fit_row_group(WriterState& state, std::uint32_t at, std::uint32_t room_end) {
  const std::uint32_t usual_bytes = target_bytes(*state.options);
  const std::uint32_t usual = plan_row_group(state, usual_bytes);
  const std::uint32_t end = rows_end(state, room_end);
  if (end < at + usual / 2) return false;
  std::uint32_t share = end - at;
  const std::uint32_t left = share;
  const std::uint32_t row_groups = (left + usual / 4) / usual;
  if (row_groups > 1) share /= row_groups;
  // What a plan takes beyond its target, for slots, margins and last pages, is taken off the target.
  std::uint32_t target = share;
  std::uint32_t over =
      usual * detail::kSectorBytes > usual_bytes ? usual - usual_bytes / detail::kSectorBytes : 0;
  while (target > over) {
    target -= over;
    row_group_sectors_ = plan_row_group(state, target * detail::kSectorBytes);
    if (row_group_sectors_ <= share) return true;
    over = row_group_sectors_ - share;
  }
  row_group_sectors_ = plan_row_group(state, usual_bytes);
  return usual <= left;
}

void RoomStore::lay_extents(WriterState& state) {
  row_group_ = state.footer.now.next;
  std::uint64_t extent = to_bytes(row_group_ + 2 * record_sectors(state));
  for (ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = extent;
    extent += column.extent_bytes;
  }
  if (const detail::Foresight* const foresight = state.plan->foresight; foresight != nullptr) {
    foresight->open_end(state, extent, to_bytes(rows_end(state, state.footer.now.room_end)));
  }
}

Status RoomStore::begin_row_group(WriterState& state) {
  FooterExtension& now = state.footer.now;
  if (go_on_ != nullptr) MICROPARQUET_TRY(go_on_(*this, state));
  if (!laid_) {
    planned_ = planned_ || fit_row_group(state, now.next, now.room_end);
    // No record says where this row group begins, so it may begin in the free room.
    if (!planned_ && now.row_groups == state.footer.row_groups && fit_free_room(state)) {
      planned_ = true;
      now.next = next_;
      now.room_end = next_end_;
    }
    next_ = 0;
    if (!planned_) MICROPARQUET_TRY(add_room(state));
    lay_extents(state);
  }
  if (now.next < stale_end_) MICROPARQUET_TRY(empty_slots_(state, now.next));
  laid_ = false;
  planned_ = false;
  std::byte* buffer = state.pages;
  row_group_end_ = 0;
  for (ColumnWriter& column : columns_of(state)) {
    column.open_page(buffer, 0);
    buffer += detail::round_up(column.plan->page_bytes, 8);
    const auto end = static_cast<std::uint32_t>((column.chunk_begin + column.extent_bytes) >> 9);
    if (end > row_group_end_) row_group_end_ = end;
  }
  return Status::kOk;
}

Status RoomStore::write_page(const WriterState& state, const ColumnWriter& column) {
  return state.file->write_at(column.chunk_begin + column.chunk_bytes,
                              Span<const std::byte>(column.sealed, column.sealed_bytes));
}

void RoomStore::page_is_stored(const WriterState& state, ColumnWriter& column) {
  column.chunk_bytes += column.sealed_bytes;
  column.sealed = nullptr;
  if (column.extent_bytes - column.chunk_bytes >= column.plan->page_bytes) {
    column.open_page(column.page, state.rows);
  } else {
    column.page = nullptr;
  }
}

Status RoomStore::store_page(WriterState& state, ColumnWriter& column) {
  MICROPARQUET_TRY(write_page(state, column));
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
        static_cast<std::uint32_t>(column.chunk_begin >> 9) + to_sectors(column.chunk_bytes);
    if (end > next_) next_ = end;
  }
  next_end_ = now.room_end;
  planned_ = fit_row_group(state, next_, next_end_) || fit_free_room(state);
}

bool RoomStore::fit_free_room(WriterState& state) {
  FooterExtension& now = state.footer.now;
  if (now.free_begin == 0) return false;
  next_ = now.free_begin;
  next_end_ = now.free_end;
  now.free_begin = 0;
  now.free_end = 0;
  return fit_row_group(state, next_, next_end_);
}

Status RoomStore::end_row_group(WriterState& state) {
  if (next_ == 0) place_next(state);  // else an interrupted try has
  if (next_ < stale_end_) MICROPARQUET_TRY(empty_slots_(state, next_));
  RecordEntry entry{};
  const std::uint64_t at = to_bytes(row_group_);
  MICROPARQUET_TRY(write_record(state, at, to_bytes(next_), entry));
  count_row_group(state, at, entry);
  state.footer.now.next = next_;
  state.footer.now.room_end = next_end_;
  next_ = 0;
  return Status::kOk;
}

Status RoomStore::tick(WriterState& /*state*/) { return Status::kOk; }

Status RoomStore::checkpoint(WriterState& /*state*/) { return Status::kUnsupported; }

// The last footer goes behind the last used byte, inside the room, or at the beginning of the free one: until
// the smaller size is published, the file ends in the footer before it. Where neither is to be had, it goes
// to the end.
Status RoomStore::close(WriterState& state) {
  const FooterExtension& now = state.footer.now;
  const std::uint32_t bytes = footer_bytes(state, now);
  const std::uint32_t sectors = to_sectors(bytes);
  std::uint32_t at = published_end_;
  if (now.free_begin + sectors < now.free_end) at = now.free_begin;
  if (now.next + sectors <= now.room_end) at = now.next;
  const bool shrinks = state.abilities.shrink && at != published_end_;
  if (!shrinks) at = published_end_;
  if (state.file_bytes == 0) {
    const std::uint64_t end = to_bytes(at) + bytes;
    MICROPARQUET_TRY(state.file->reserve(end));
    begin_footer(state, to_bytes(at));
    state.footer.draft.said.free_begin = 0;
    state.footer.draft.said.free_end = 0;
    MICROPARQUET_TRY(write_whole(state));
    state.file_bytes = end;
  }
  if (shrinks) {
    MICROPARQUET_TRY(state.file->barrier());
    MICROPARQUET_TRY(state.file->shrink(state.file_bytes));
  }
  return publish_footer(state);
}

// Going on with a file.

Status RoomStore::empty_slots(WriterState& state, std::uint32_t at) {
  MICROPARQUET_TRY(empty_slot(state, to_bytes(at)));
  MICROPARQUET_TRY(empty_slot(state, to_bytes(at) + state.plan->arena.record_bytes));
  return state.file->barrier();
}

void RoomStore::resume(WriterState& state, std::uint32_t sectors) {
  FooterExtension& now = state.footer.now;
  cut_rows_ = now.rows;
  published_end_ = sectors;
  stale_end_ = sectors;
  // Until the next row group begins nothing is open, and nothing may go where one was.
  laid_ = now.open_bytes != 0;
  now.open_bytes = 0;
  next_end_ = now.room_end;
  // A closed file ends inside its last room.
  if (laid_ || now.room_end >= sectors) now.room_end = 0;
  go_on_ = &RoomStore::go_on;
  empty_slots_ = &RoomStore::empty_slots;
}

// The interrupted row group is finished as the footer describes it. Where each column has room for a page
// left, the next one goes on in its extents.
bool RoomStore::lay_in_rests(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = to_bytes(column.cut_begin);
    column.extent_bytes = (column.cut_end - column.cut_begin) * detail::kSectorBytes;
    if (column.extent_bytes < column.plan->page_bytes) return false;
  }
  row_group_ = state.footer.now.next;
  return true;
}

// The row group that was open goes on in its own place, or the next one begins behind what it used.
Status RoomStore::go_on(RoomStore& store, WriterState& state) {
  FooterExtension& now = state.footer.now;
  if (store.laid_) now.room_end = store.next_end_;
  MICROPARQUET_TRY(state.file->reserve(to_bytes(store.published_end_ + closing_behind(state, 0))));
  if (store.laid_ && !store.lay_in_rests(state)) {
    MICROPARQUET_TRY(empty_slots(state, now.next));
    for (const ColumnWriter& column : columns_of(state)) {
      if (column.cut_begin > now.next) now.next = column.cut_begin;
    }
    store.laid_ = false;
  }
  store.go_on_ = nullptr;
  return Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet {

std::uint32_t Writer::checkpoint_cost() const { return write::checkpoint_cost(state_); }

}  // namespace microparquet

namespace microparquet::detail {

PageStore* construct_room_store(void* memory) { return new (memory) write::RoomStore; }

}  // namespace microparquet::detail
