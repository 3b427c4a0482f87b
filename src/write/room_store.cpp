#include "write/room_store.h"

#include <new>

#include "util/try.h"
#include "write/extents.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint32_t kMagicBytes = 4;

std::uint64_t to_sector(std::uint64_t offset) { return detail::round_up64(offset, detail::kSectorBytes); }

Schema schema_of(const WriterState& state) { return Schema(state.fields, state.columns_count); }

std::uint32_t slot_bytes(const WriterState& state) {
  return detail::record_slot_bytes(schema_of(state), *state.options);
}

// The file's size / 32, from 64 KiB to 64 MiB, unless the options say otherwise.
std::uint32_t target_bytes(const WriterState& state, std::uint64_t file_bytes) {
  constexpr std::uint32_t kLeast = 64 << 10;
  constexpr std::uint32_t kMost = 64 << 20;
  const Options& options = *state.options;
  if (options.row_group_bytes != 0 || options.row_group_rows != 0) return options.row_group_bytes;
  const std::uint64_t part = file_bytes >> 5;
  return part < kLeast ? kLeast : part > kMost ? kMost : static_cast<std::uint32_t>(part);
}

// The footer that may have to close the file must fit in the room: with one more row group, and with
// key-values yet to be set.
std::uint32_t closing_bytes(WriterState& state) {
  constexpr std::uint32_t kKeyValues = 512;
  return footer_bytes(state) + detail::entry_bytes(schema_of(state), *state.options) + kKeyValues;
}

// Plans a smaller row group for what is left of the room, unless that is less than half of a usual one.
bool fit_row_group(WriterState& state, std::uint32_t target, std::uint64_t left) {
  for (std::uint32_t smaller = target - target / 8; smaller > target / 2; smaller -= target / 8) {
    if (plan_extents(state, smaller) <= left) return true;
  }
  return false;
}

}  // namespace

Status RoomStore::open(WriterState& state) {
  if (published_end_ == 0) {
    const FooterPlace place{kMagicBytes, 0, 0, nullptr, true};
    MICROPARQUET_TRY(publish(state, place));
  }
  const std::uint64_t bytes = 2 * slot_bytes(state) + plan_extents(state, target_bytes(state, 0));
  return add_room(state, bytes);
}

Status RoomStore::publish(WriterState& state, const FooterPlace& place) {
  std::uint64_t end = 0;
  MICROPARQUET_TRY(write_footer(state, place, end));
  MICROPARQUET_TRY(state.file->sync());
  publish_footer(state, place);
  published_end_ = end;
  return Status::kOk;
}

// Rooms are large enough for their footers to be a 64th of the file, but hold no more than 16 row groups and an
// eighth of those there are: with small row groups the footers' sum stays in proportion to the last one. On a
// medium that is nearly full a room of one row group is tried as well.
Status RoomStore::add_room(WriterState& state, std::uint64_t row_group_bytes) {
  constexpr std::uint32_t kFooterShare = 64;
  const std::uint32_t most = 16 + state.footer.row_groups / 8;
  const std::uint32_t footer = footer_bytes(state);
  std::uint32_t row_groups = 1;
  while (row_groups < most && row_groups * row_group_bytes < static_cast<std::uint64_t>(footer) * kFooterShare) {
    ++row_groups;
  }
  const std::uint64_t begin = to_sector(published_end_);
  Status status = Status::kNoSpace;
  std::uint64_t end = 0;
  for (; row_groups != 0 && status == Status::kNoSpace; row_groups = row_groups > 1 ? 1 : 0) {
    end = to_sector(begin + row_groups * row_group_bytes + closing_bytes(state));
    status = state.file->reserve(end + footer);
  }
  MICROPARQUET_TRY(status);
  MICROPARQUET_TRY(publish(state, {end, begin, end, nullptr, false}));
  next_ = begin;
  room_end_ = end;
  return Status::kOk;
}

Status RoomStore::begin_row_group(WriterState& state) {
  const std::uint32_t slots = 2 * slot_bytes(state);
  const std::uint32_t target = target_bytes(state, published_end_);
  const std::uint64_t bytes = slots + plan_extents(state, target);
  const std::uint64_t used = next_ + slots + closing_bytes(state);
  const std::uint64_t left = used < room_end_ ? room_end_ - used : 0;
  if (slots + left < bytes && !fit_row_group(state, target, left)) {
    MICROPARQUET_TRY(add_room(state, bytes));
    plan_extents(state, target);
  }

  row_group_ = next_;
  std::uint64_t extent = row_group_ + slots;
  std::byte* buffer = state.pages;
  const std::uint32_t last = most_variable_column(state);
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    ColumnWriter& column = state.columns[i];
    column.open_page(buffer, 0);
    buffer += detail::round_up(column.page_bytes, 8);
    if (i == last) continue;
    column.chunk_begin = extent;
    extent += column.extent_bytes;
  }
  ColumnWriter& column = state.columns[last];
  column.chunk_begin = extent;
  if (column.levels != nullptr || column.shape.value_bytes == 0) {
    // Hard to foresee: it may take twice what it is expected to need, if the room has as much.
    const std::uint64_t left = room_end_ - closing_bytes(state) - extent;
    const std::uint64_t twice = 2 * static_cast<std::uint64_t>(column.extent_bytes);
    column.extent_bytes = static_cast<std::uint32_t>(twice < left ? twice : left);
  }
  return Status::kOk;
}

Status RoomStore::store_page(WriterState& state, ColumnWriter& column) {
  MICROPARQUET_TRY(state.file->write_at(column.chunk_begin + column.chunk_bytes,
                                        Span<const std::byte>(column.sealed, column.sealed_bytes)));
  column.chunk_bytes += column.sealed_bytes;
  column.raw_bytes += column.sealed_bytes;
  column.sealed = nullptr;
  if (column.extent_bytes - column.chunk_bytes >= column.page_bytes) {
    column.open_page(column.page, detail::rows_in_group(state));
  } else {
    column.page = nullptr;
  }
  return Status::kOk;
}

std::uint64_t RoomStore::last_used(const WriterState& state) const {
  std::uint64_t end = row_group_;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    const std::uint64_t used = state.columns[i].chunk_begin + state.columns[i].chunk_bytes;
    if (used > end) end = used;
  }
  return end;
}

Status RoomStore::end_row_group(WriterState& state) {
  Record record;
  record.at = row_group_;
  record.next = to_sector(last_used(state));
  MICROPARQUET_TRY(write_record(state, record));
  add_row_group(state, record);
  next_ = record.next;
  const std::uint32_t rows = detail::rows_in_group(state);
  const bool first = state.footer.row_groups == 1;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) learn_bytes_per_row(state.columns[i], rows, first);
  return Status::kOk;
}

// The last footer goes behind the last used byte, inside the room: until the smaller size is published, the
// file ends in the footer before it. Where that is not to be had, it goes to the end.
Status RoomStore::close(WriterState& state) {
  const bool shrinks = state.file->abilities().shrink && next_ + footer_bytes(state) <= room_end_;
  if (closed_end_ == 0) {
    FooterPlace place{next_, next_, room_end_, nullptr, false};
    if (!shrinks) {
      place.at = to_sector(published_end_);
      MICROPARQUET_TRY(state.file->reserve(place.at + footer_bytes(state)));
    }
    std::uint64_t end = 0;
    MICROPARQUET_TRY(write_footer(state, place, end));
    MICROPARQUET_TRY(state.file->sync());
    closed_end_ = end;
  }
  if (shrinks) MICROPARQUET_TRY(state.file->shrink(closed_end_));
  state.file_bytes = closed_end_;
  return state.file->sync();
}

}  // namespace microparquet::write

namespace microparquet::detail {

PageStore* construct_room_store(void* memory) { return new (memory) write::RoomStore; }

}  // namespace microparquet::detail
