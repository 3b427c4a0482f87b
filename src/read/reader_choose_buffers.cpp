// A buffer for each column.
#include "base/try.h"
#include "microparquet/reader.h"
#include "read/choose.h"

namespace microparquet {

namespace {

// Of memory, aligned to 8.
std::uint64_t needed_by(const detail::ReaderState& state, const ColumnChoice& choice, std::uint32_t own) {
  std::uint64_t bytes = choice.buffer_bytes != 0 ? choice.buffer_bytes : state.options->buffer_bytes;
  const std::uint64_t least = read::least_buffer_of(state, choice.column);
  if (bytes < least) bytes = least;
  return own + ((bytes + 7) & ~std::uint64_t{7});
}

}  // namespace

Status Reader::choose(Span<const ColumnChoice> columns) {
  detail::ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  read::clear_choice(state);
  const std::uint32_t own = read::own_bytes(state);
  const std::size_t begin = read::place_cursors(state, columns.size());
  std::uint64_t needed = begin + std::uint64_t{detail::scratch_bytes(*state.options)};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnChoice& choice = columns[i];
    if ((choice.buffer_bytes != 0 && choice.buffer_bytes < detail::kMinWindow) ||
        choice.buffer_bytes > detail::kMaxBuffer)
      return Status::kInvalidArgument;
    MICROPARQUET_TRY(read::mark_chosen(state, choice.column, i));
    needed += needed_by(state, choice, own);
  }
  state.needed_bytes = needed;
  if (columns.empty()) return Status::kOk;
  if (state.arena.size() < needed) return Status::kOutOfMemory;
  const std::size_t spare = (state.arena.size() - static_cast<std::size_t>(needed)) / columns.size();
  const std::size_t extra =
      (spare < detail::kMaxBuffer ? spare : detail::kMaxBuffer) & ~static_cast<std::size_t>(7);
  std::byte* memory = state.arena.data() + begin;
  for (const ColumnChoice& choice : columns) {
    const std::size_t bytes = static_cast<std::size_t>(needed_by(state, choice, own)) + extra;
    read::make_column(state, choice.column, memory, bytes, own);
    memory += bytes;
  }
  return Status::kOk;
}

}  // namespace microparquet
