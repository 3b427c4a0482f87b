// A checkpoint in the order that makes it durable:
//
//   cut       the open pages of all columns are stored: every column ends at the same row
//   record    the entry of the open row group, into slot B: what the footer will copy while rows go on
//   arriving barrier   all that the footer is going to describe is on the medium footer    behind the end of
//   the file, in steps; then sync
//
// Until the sync the file ends in the footer before. A failure leaves what is done as it is, and the next
// tick or checkpoint begins anew with the rows there are by then.
#include "write/checkpoint_store.h"

#include <new>

#include "util/try.h"
#include "write/record.h"
#include "write/rows.h"

namespace microparquet::write {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

// The first room should last until the first checkpoint.
constexpr std::uint32_t kLeastRoom = (512 << 10) / detail::kSectorBytes;

CheckpointStore::CheckpointStore() { least_room_ = kLeastRoom; }

// Whether less than `needed` sectors of the room are left behind the open row group, and there is no free
// one.
bool CheckpointStore::room_is_low(const WriterState& state, std::uint32_t needed) const {
  const FooterExtension& now = state.footer.now;
  const std::uint32_t end = state.row_group_open ? row_group_end_ : now.next;
  return now.free_begin == 0 && end + needed + closing_sectors(state) > now.room_end;
}

bool CheckpointStore::is_due(const WriterState& state) const {
  const Options& options = *state.options;
  if (options.checkpoint_ms == 0) return false;
  const std::uint32_t elapsed = state.now_ms - cut_ms_;
  if (elapsed >= options.max_loss_ms) return true;
  const std::uint32_t cost = checkpoint_cost(state);
  // A footer will be due anyway when the room is used up; each page stored writes a sector of it meanwhile.
  if (room_is_low(state, row_group_sectors_ + cost)) return true;
  return elapsed >= options.checkpoint_ms && to_sectors(cut_bytes_) >= options.checkpoint_share * cost;
}

Status CheckpointStore::tick(WriterState& state) {
  if (writing_) return step(state, false);
  if (rows_in_file(state) == cut_rows_ || !ticks_) {
    ticks_ = true;
    cut_ms_ = state.now_ms;
    return Status::kOk;
  }
  return is_due(state) ? cut(state) : Status::kOk;
}

Status CheckpointStore::checkpoint(WriterState& state) {
  const std::uint64_t rows = rows_in_file(state);
  if (rows == state.durable_rows) return Status::kOk;
  if (!writing_ || rows != cut_rows_) MICROPARQUET_TRY(cut(state));
  return step(state, true);
}

Status CheckpointStore::cut(WriterState& state) {
  writing_ = false;  // an older footer on its way is given up
  cutting_ = true;
  const Status status = close_pages(state);
  cutting_ = false;
  MICROPARQUET_TRY(status);
  if (state.row_group_open && !goes_on(state)) MICROPARQUET_TRY(write::end_row_group(state));
  MICROPARQUET_TRY(begin_draft(state));
  if (state.row_group_open && state.rows != 0) MICROPARQUET_TRY(describe_open(state));
  MICROPARQUET_TRY(state.file->barrier());
  state.footer.draft.said.sequence = ++state.footer.now.sequence;
  cut_rows_ = state.footer.draft.said.rows;
  cut_ms_ = state.now_ms;
  const std::uint32_t interval = to_sectors(cut_bytes_);
  if (3 * interval > least_room_) least_room_ = 3 * interval;
  cut_bytes_ = 0;
  writing_ = true;
  return Status::kOk;
}

// Durable bytes are never written again, so the next page of every column must begin on a sector.
bool CheckpointStore::goes_on(const WriterState& state) {
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.chunk_bytes % detail::kSectorBytes != 0) return false;
  }
  return true;
}

// Behind a new room, if what is left of this one would not do for a row group and two more checkpoints.
Status CheckpointStore::begin_draft(WriterState& state) {
  std::uint32_t at = published_end_;
  adds_room_ = room_is_low(state, row_group_sectors_ + 2 * to_sectors(cut_bytes_));
  if (adds_room_) {
    const Status status = reserve_room(state, published_end_, row_group_sectors_, at);
    if (status != Status::kOk && status != Status::kNoSpace) return status;
    adds_room_ = status == Status::kOk;
    if (!adds_room_) at = published_end_;
  }
  begin_footer(state, to_bytes(at));
  if (adds_room_) {
    state.footer.draft.said.free_begin = published_end_;
    state.footer.draft.said.free_end = at;
  }
  return Status::kOk;
}

Status CheckpointStore::describe_open(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    const std::uint64_t end = column.chunk_begin + column.extent_bytes;
    column.cut_begin = static_cast<std::uint32_t>((column.chunk_begin + column.chunk_bytes) >> 9);
    column.cut_end = static_cast<std::uint32_t>(end >> 9);
  }
  RecordEntry entry{};
  const std::uint64_t slot = to_bytes(row_group_) + state.plan->arena.record_bytes;
  MICROPARQUET_TRY(write_record(state, slot, 0, entry));
  FooterExtension& said = state.footer.draft.said;
  said.next = row_group_;
  said.rows += state.rows;
  said.open_bytes = entry.bytes;
  said.entries_crc = entry.crc;
  return Status::kOk;
}

Status CheckpointStore::step(WriterState& state, bool whole) {
  detail::FooterDraft& draft = state.footer.draft;
  if (draft.written == 0) {
    const std::uint32_t footer = to_sectors(footer_bytes(state, draft.said));
    MICROPARQUET_TRY(state.file->reserve(draft.at + to_bytes(footer + closing_behind(state, 0))));
  }
  const Status status = write_footer(state, whole);
  if (status == Status::kCorrupt) draft.written = 0;  // read again from the beginning
  MICROPARQUET_TRY(status);
  if (!footer_is_written(state)) return Status::kOk;
  MICROPARQUET_TRY(publish(state));
  writing_ = false;
  if (adds_room_) {
    state.footer.now.free_begin = draft.said.free_begin;
    state.footer.now.free_end = draft.said.free_end;
  }
  return Status::kOk;
}

// The footer goes on with each page, also where tick() is seldom called. What comes of it is for the next
// tick to say: the page is stored.
Status CheckpointStore::store_page(WriterState& state, ColumnWriter& column) {
  const bool lengthens = cutting_ && state.plan->store_lengthened != nullptr;
  MICROPARQUET_TRY(lengthens ? state.plan->store_lengthened(state, column) : write_page(state, column));
  cut_bytes_ += column.sealed_bytes;
  page_is_stored(state, column);
  if (writing_) static_cast<void>(step(state, false));
  return Status::kOk;
}

// The room that is being added must be there before it is needed.
Status CheckpointStore::end_row_group(WriterState& state) {
  if (writing_ && adds_room_ && room_is_low(state, row_group_sectors_)) MICROPARQUET_TRY(step(state, true));
  return RoomStore::end_row_group(state);
}

// A room that was not there in time: rows wait until its footer is written.
Status CheckpointStore::add_room(WriterState& state) {
  writing_ = false;  // this footer says all that one on its way would
  MICROPARQUET_TRY(RoomStore::add_room(state));
  if (state.footer.draft.said.rows != 0) ++state.forced_footers;
  cut_rows_ = state.footer.draft.said.rows;
  cut_ms_ = state.now_ms;
  cut_bytes_ = 0;
  return Status::kOk;
}

Status CheckpointStore::close(WriterState& state) {
  writing_ = false;
  return RoomStore::close(state);
}

}  // namespace microparquet::write

namespace microparquet::detail {

PageStore* construct_checkpoint_store(void* memory) { return new (memory) write::CheckpointStore; }

}  // namespace microparquet::detail
