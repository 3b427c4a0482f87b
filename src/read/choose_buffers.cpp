// Buffers of the program's own for the chosen columns.
#include "base/bytes.h"
#include "microparquet/reader.h"
#include "read/choose.h"

namespace microparquet {

// Choosing columns with a buffer size for each.

Status Reader::choose(Span<const ColumnChoice> columns) {
  detail::ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  const std::uint32_t own = read::own_bytes(state);
  return read::choose_with_buffers<false>(
      state, columns, [own](std::uint32_t) { return own; },
      [&state, own](std::uint32_t column, std::byte* memory, std::size_t bytes) {
        read::make_column(state, column, memory, bytes, own);
      });
}

// Giving a column more memory while it is read.

namespace {

using detail::ColumnCursor;

constexpr std::size_t kMaxBytes = 0x7FFFFFFF;

// Returns whether the values of the current page lie in the window. Otherwise they lie in the page memory or
// in the mapped file.
bool is_in_window(const ColumnCursor& column) {
  return column.cursor >= column.window.base && column.cursor <= column.window.end;
}

void move_dictionary(const ColumnCursor& column, std::byte* to) {
  if (column.dictionary_bytes == 0) return;
  util::move_bytes(to, column.memory, column.dictionary_bytes);
  auto& dictionary = *reinterpret_cast<Dictionary*>(to);
  const auto moved = [&](const std::byte* at) { return to + (at - column.memory); };
  dictionary.values = Span<const std::byte>(moved(dictionary.values.data()), dictionary.values.size());
  dictionary.index = Span<std::byte>(moved(dictionary.index.data()), dictionary.index.size());
}

// Moves the window with its loaded bytes; streams of the page and a decompressed page stay where they are.
void move_window(ColumnCursor& column, std::byte* to) {
  detail::Window& window = column.window;
  const std::size_t body = column.available();
  const bool in_window = is_in_window(column);
  if (in_window) window.cursor = column.cursor;
  const std::size_t there = window.available();
  util::move_bytes(to, window.cursor, there);
  window.base = to;
  window.cursor = to;
  window.end = to + there;
  if (!in_window) return;
  column.cursor = to;
  column.body_end = to + body;
}

}  // namespace

Status Reader::move_buffer(std::size_t i, Span<std::byte> memory) {
  if (i >= state_.chosen) return Status::kInvalidArgument;
  ColumnCursor& column = state_.columns[i];
  const bool aligned = reinterpret_cast<std::uintptr_t>(memory.data()) % 8 == 0;
  if (!aligned || memory.size() <= column.memory_bytes || memory.size() > kMaxBytes)
    return Status::kInvalidArgument;
  move_dictionary(column, memory.data());
  move_window(column, memory.data() + column.dictionary_bytes);
  column.memory = memory.data();
  column.memory_bytes = static_cast<std::uint32_t>(memory.size());
  column.page_bytes = 0;
  column.window.capacity = column.window_bytes();
  return Status::kOk;
}

}  // namespace microparquet
