#include "write/room_store.h"

#include <new>

#include "util/try.h"
#include "write/extents.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

std::uint32_t to_sectors(std::uint32_t bytes) {
  return (bytes + detail::kSectorBytes - 1) / detail::kSectorBytes;
}
std::uint64_t to_bytes(std::uint32_t sectors) { return static_cast<std::uint64_t>(sectors) << 9; }

std::uint32_t record_sectors(const WriterState& state) {
  return state.plan->arena.record_bytes / detail::kSectorBytes;
}

// The footer that may have to close the file must fit in the room: with one more row group, and with `spare`
// bytes of key-values yet to be set.
constexpr std::uint32_t kKeyValues = 512;
std::uint32_t closing_sectors(const WriterState& state, std::uint32_t spare = kKeyValues) {
  return to_sectors(footer_bytes(state) + spare) + record_sectors(state);
}

// Two slots for its record, and the extents.
std::uint32_t plan_row_group(WriterState& state, std::uint32_t target_bytes) {
  return 2 * record_sectors(state) + plan_extents(state, target_bytes) / detail::kSectorBytes;
}

}  // namespace

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
  if (published_end_ == 0) MICROPARQUET_TRY(publish(state, 0, 0, 0));
  return add_room(state, plan_row_group(state, target_bytes(*state.options)));
}

Status RoomStore::publish(WriterState& state, std::uint32_t at, std::uint32_t next, std::uint32_t room_end) {
  const FooterPlace place{at != 0 ? to_bytes(at) : kMagicBytes, to_bytes(next), to_bytes(room_end)};
  MICROPARQUET_TRY(write_footer(state, place));
  MICROPARQUET_TRY(state.file->sync());
  publish_footer(state, place.at);
  published_end_ = at + to_sectors(footer_bytes(state) + (at != 0 ? 0 : kMagicBytes));
  return Status::kOk;
}

// Rooms are large enough for their footers to be a 64th of the file, but hold no more than 16 row groups and
// an eighth of those there are: with small row groups the footers' sum stays in proportion to the last one.
// On a medium that is nearly full a room of one row group is tried as well.
Status RoomStore::add_room(WriterState& state, std::uint32_t row_group) {
  constexpr std::uint32_t kFooterShare = 64;
  const std::uint32_t footer = to_sectors(footer_bytes(state));
  const std::uint32_t closing =
      closing_sectors(state, 2 * kKeyValues);  // some may be set before the first row
  const bool shrinks = state.abilities.shrink;
  const std::uint32_t most = 16 + state.footer.row_groups / 8;
  std::uint32_t row_groups = 1;
  while (row_groups < most && row_groups * row_group < footer * kFooterShare) ++row_groups;
  std::uint32_t end = 0;
  for (;; row_groups = 1) {
    end = published_end_ + row_groups * row_group + closing;
    // Where the closing footer cannot go inside the room, there is space for it behind.
    const std::uint32_t behind = shrinks ? footer : footer + closing + row_groups * record_sectors(state);
    const Status status = state.file->reserve(to_bytes(end + behind));
    if (status == Status::kOk) break;
    if (status != Status::kNoSpace || row_groups == 1) return status;
  }
  const std::uint32_t begin = published_end_;
  MICROPARQUET_TRY(publish(state, end, begin, end));
  next_ = begin;
  room_end_ = end;
  return Status::kOk;
}

// Plans a smaller row group for what is left of the room, unless that is less than half of a usual one.
bool RoomStore::fit_row_group(WriterState& state, std::uint32_t target) {
  const std::uint32_t closing = closing_sectors(state);
  const std::uint32_t step = target / 8;
  for (const std::uint32_t least = target / 2; target > least; target -= step) {
    if (next_ + plan_row_group(state, target) + closing <= room_end_) return true;
  }
  return false;
}

Status RoomStore::begin_row_group(WriterState& state) {
  const std::uint32_t target = target_bytes(*state.options);
  if (!fit_row_group(state, target)) {
    const std::uint32_t row_group = plan_row_group(state, target);
    MICROPARQUET_TRY(add_room(state, row_group));
  }
  row_group_ = next_;
  std::uint64_t extent = to_bytes(row_group_ + 2 * record_sectors(state));
  std::byte* buffer = state.pages;
  for (ColumnWriter& column : columns_of(state)) {
    column.open_page(buffer, 0);
    buffer += detail::round_up(column.plan->page_bytes, 8);
    column.chunk_begin = extent;
    extent += column.extent_bytes;
  }
  if (const detail::Foresight* const foresight = state.plan->foresight; foresight != nullptr) {
    foresight->open_end(state, extent, to_bytes(room_end_ - closing_sectors(state)));
  }
  return Status::kOk;
}

Status RoomStore::store_page(WriterState& state, ColumnWriter& column) {
  MICROPARQUET_TRY(state.file->write_at(column.chunk_begin + column.chunk_bytes,
                                        Span<const std::byte>(column.sealed, column.sealed_bytes)));
  column.chunk_bytes += column.sealed_bytes;
  column.sealed = nullptr;
  if (column.extent_bytes - column.chunk_bytes >= column.plan->page_bytes) {
    column.open_page(column.page, state.rows);
  } else {
    column.page = nullptr;
  }
  return Status::kOk;
}

Status RoomStore::end_row_group(WriterState& state) {
  std::uint32_t next = 0;
  for (const ColumnWriter& column : columns_of(state)) {
    const std::uint32_t end =
        static_cast<std::uint32_t>(column.chunk_begin >> 9) + to_sectors(column.chunk_bytes);
    if (end > next) next = end;
  }
  MICROPARQUET_TRY(write_record(state, to_bytes(row_group_), to_bytes(next)));
  next_ = next;
  if (const detail::Foresight* const foresight = state.plan->foresight; foresight != nullptr)
    foresight->learn(state);
  return Status::kOk;
}

// The last footer goes behind the last used byte, inside the room: until the smaller size is published, the
// file ends in the footer before it. Where that is not to be had, it goes to the end.
Status RoomStore::close(WriterState& state) {
  const std::uint32_t bytes = footer_bytes(state);
  const bool shrinks = state.abilities.shrink && next_ + to_sectors(bytes) <= room_end_;
  if (state.file_bytes == 0) {
    const std::uint32_t at = shrinks ? next_ : published_end_;
    const std::uint64_t end = to_bytes(at) + bytes;
    if (!shrinks) MICROPARQUET_TRY(state.file->reserve(end));
    MICROPARQUET_TRY(publish(state, at, next_, room_end_));
    state.file_bytes = end;
  }
  if (shrinks) MICROPARQUET_TRY(state.file->shrink(state.file_bytes));
  return state.file->sync();
}

}  // namespace microparquet::write

namespace microparquet::detail {

PageStore* construct_room_store(void* memory) { return new (memory) write::RoomStore; }

}  // namespace microparquet::detail
