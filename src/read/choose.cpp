#include "read/choose.h"

#include "base/try.h"
#include "microparquet/reader.h"

namespace microparquet::read {

using detail::ReaderState;

namespace {

Status divide_arena(ReaderState& state, const std::uint32_t* columns, std::size_t count) {
  if (state.file == nullptr) return Status::kWrongState;
  clear_choice(state);
  std::uint32_t share = state.options->buffer_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t column = columns != nullptr ? columns[i] : static_cast<std::uint32_t>(i);
    MICROPARQUET_TRY(mark_chosen(state, column, i));
    const std::uint32_t least = least_buffer_of(state, column);
    if (least > share) share = least;
  }
  const std::uint32_t own = own_bytes(state);
  share += own;
  const std::size_t begin = place_cursors(state, count);
  const std::size_t fixed = begin + detail::scratch_bytes(*state.options);
  state.needed_bytes = fixed + std::uint64_t{count} * (share + 7);
  if (count == 0) return Status::kOk;
  if (state.arena.size() < fixed) return Status::kOutOfMemory;
  std::size_t bytes = (state.arena.size() - fixed) / count & ~static_cast<std::size_t>(7);
  if (bytes < share) return Status::kOutOfMemory;
  if (bytes > detail::kMaxBuffer) bytes = detail::kMaxBuffer;
  std::byte* memory = state.arena.data() + begin;
  for (std::size_t i = 0; i < count; ++i, memory += bytes)
    make_column(state, columns != nullptr ? columns[i] : static_cast<std::uint32_t>(i), memory, bytes, own);
  return Status::kOk;
}

}  // namespace

void go_to_start(ReaderState& state) {
  state.row_group = detail::kNoRowGroup;
  state.next_row_group = 0;
  state.next_entry = state.row_groups_begin;
  state.group_rows = 0;
  state.rows_left = 0;
  forget_ready_rows(state);
  state.mode = detail::ReadingMode::kUndecided;
}

}  // namespace microparquet::read

namespace microparquet {

Status Reader::choose(Span<const std::uint32_t> columns) {
  return read::divide_arena(state_, columns.data(), columns.size());
}

Status Reader::choose_all() { return read::divide_arena(state_, nullptr, state_.leaf_count); }

}  // namespace microparquet
