// Choosing columns, and dividing the arena among them:
//
//   window on the footer | a Leaf for each column of the file | a ColumnCursor for each chosen column
//   | for each of them its LevelDecoder, its decoder's state and its buffer | scratch of decompressors
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/reader.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Goes back to the first row group.
void go_to_start(detail::ReaderState& state);

// Forgets the chosen columns and their failure, and goes to the first row group.
inline void clear_choice(detail::ReaderState& state) {
  for (std::uint32_t i = 0; i < state.leaf_count; ++i) state.leaves[i].cursor = detail::kNotChosen;
  state.chosen = 0;
  state.failed_status = Status::kOk;
  go_to_start(state);
}

// Marks a column as the `i`-th chosen one.
template <bool kWithRepeated = false>
Status mark_chosen(detail::ReaderState& state, std::uint32_t column, std::size_t i) {
  if (column >= state.leaf_count || i >= detail::kNotChosen) return Status::kInvalidArgument;
  detail::Leaf& leaf = state.leaves[column];
  if (leaf.cursor != detail::kNotChosen) return Status::kInvalidArgument;
  if (!kWithRepeated && leaf.max_repetition != 0) return Status::kUnsupported;
  leaf.cursor = static_cast<std::uint16_t>(i);
  return Status::kOk;
}

// Returns the bytes of one value; 0 for byte arrays.
inline std::uint32_t width_of(const detail::Leaf& leaf) {
  return value_bytes(static_cast<Type>(leaf.type), leaf.type_length);
}

// Returns the smallest buffer that suits the column: a value of fixed length must lie in the window whole,
// beside the levels' share of it.
inline std::uint32_t least_buffer_of(const detail::ReaderState& state, std::uint32_t column) {
  const std::uint32_t width = width_of(state.leaves[column]);
  // A value longer than the file cannot occur, and no buffer exceeds twice the maximum.
  constexpr std::uint32_t kMaxWidth = 0x1FFFFFFF;
  return width <= kMaxWidth && width <= state.file_bytes ? detail::least_buffer(width) : 0;
}

// Returns the bytes of a column's memory before its buffer: level decoder and decoder state.
inline std::uint32_t own_bytes(const detail::ReaderState& state) {
  return static_cast<std::uint32_t>(sizeof(detail::LevelDecoder)) +
         detail::decoder_state_bytes(*state.options);
}

// Places `count` cursors, and returns the offset in the arena where the memory of the columns begins.
inline std::size_t place_cursors(detail::ReaderState& state, std::size_t count) {
  const std::size_t head = detail::reader_head_bytes(state.leaf_count, state.options->footer_bytes);
  state.columns = reinterpret_cast<detail::ColumnCursor*>(state.arena.data() + head);
  return head + count * sizeof(detail::ColumnCursor);
}

// Returns the number of bits of a level up to `maximum`.
inline std::uint8_t bit_width(unsigned maximum) {
  std::uint8_t width = 0;
  for (; maximum != 0; maximum >>= 1) ++width;
  return width;
}

// Makes the next chosen column in `bytes` bytes of `memory`; the first `own` bytes are not buffer.
inline void make_column(detail::ReaderState& state, std::uint32_t column, std::byte* memory,
                        std::size_t bytes, std::uint32_t own) {
  detail::ColumnCursor& cursor = state.columns[state.chosen++];
  util::clear_bytes(&cursor, sizeof cursor);
  cursor.reader = &state;
  cursor.decoder_state = memory + sizeof(detail::LevelDecoder);
  cursor.memory = memory + own;
  cursor.memory_bytes = static_cast<std::uint32_t>(bytes) - own;
  cursor.window.begin(*state.file, cursor.memory, 0);
  const detail::Leaf& leaf = state.leaves[column];
  cursor.column = column;
  cursor.type = static_cast<Type>(leaf.type);
  cursor.width = width_of(leaf);
  if (leaf.max_definition == 0) return;
  auto* const levels = reinterpret_cast<detail::LevelDecoder*>(memory);
  util::clear_bytes(levels, sizeof *levels);
  levels->maximum = leaf.max_definition;
  levels->bit_width = bit_width(leaf.max_definition);
  cursor.levels = levels;
}

// Returns the bytes of the arena that a choice takes, rounded up to 8; `own` of them are not buffer.
inline std::uint64_t column_bytes(const detail::ReaderState& state, const ColumnChoice& choice,
                                  std::uint32_t own) {
  std::uint64_t bytes = choice.buffer_bytes != 0 ? choice.buffer_bytes : state.options->buffer_bytes;
  const std::uint64_t least = least_buffer_of(state, choice.column);
  if (bytes < least) bytes = least;
  return own + ((bytes + 7) & ~std::uint64_t{7});
}

// Chooses columns, each with a buffer of its own size. `own(column)` returns the bytes of its memory that are
// not buffer; `make(column, memory, bytes)` makes its cursor. Statuses as Reader::choose(). Requires: a file
// is open.
template <bool kWithRepeated, typename Own, typename Make>
Status choose_with_buffers(detail::ReaderState& state, Span<const ColumnChoice> columns, Own own, Make make) {
  clear_choice(state);
  const std::size_t begin = place_cursors(state, columns.size());
  std::uint64_t needed = begin + std::uint64_t{detail::scratch_bytes(*state.options)};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnChoice& choice = columns[i];
    if ((choice.buffer_bytes != 0 && choice.buffer_bytes < detail::kMinWindow) ||
        choice.buffer_bytes > detail::kMaxBuffer)
      return Status::kInvalidArgument;
    MICROPARQUET_TRY(mark_chosen<kWithRepeated>(state, choice.column, i));
    needed += column_bytes(state, choice, own(choice.column));
  }
  state.needed_bytes = needed;
  if (columns.empty()) return Status::kOk;
  if (state.arena.size() < needed) return Status::kOutOfMemory;
  const std::size_t spare = (state.arena.size() - static_cast<std::size_t>(needed)) / columns.size();
  const std::size_t extra =
      (spare < detail::kMaxBuffer ? spare : detail::kMaxBuffer) & ~static_cast<std::size_t>(7);
  std::byte* memory = state.arena.data() + begin;
  for (const ColumnChoice& choice : columns) {
    const std::size_t bytes =
        static_cast<std::size_t>(column_bytes(state, choice, own(choice.column))) + extra;
    make(choice.column, memory, bytes);
    memory += bytes;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
