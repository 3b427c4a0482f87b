// Memory beside a page that lies in a column's memory whole. The first decoder that needs some links this
// file.
#include "base/bytes.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/reader.h"
#include "read/repeated_page.h"

namespace microparquet::detail {

namespace {

struct Memory {
  std::byte* begin;
  std::byte* end;

  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
  bool has(const std::byte* at) const { return at >= begin && at < end; }
};

Memory window_of(const ColumnCursor& column) {
  return {column.window.base, column.window.base + column.window.capacity};
}
Memory page_memory_of(const ColumnCursor& column) {
  std::byte* const end = column.memory + column.memory_bytes;
  return {end - column.page_bytes, end};
}

// Returns the page's levels if they are read where the page lies, else null: a stream of levels has memory of
// its own.
Window* levels_in_place(const ColumnCursor& column) {
  Window* const levels = column.levels != nullptr ? &column.levels->bytes : nullptr;
  return levels != nullptr && levels->file == nullptr ? levels : nullptr;
}

bool has_repetition_levels(const ColumnCursor& column) {
  return column.reader->leaves[column.column].max_repetition != 0;
}

// Moves the view of levels that lie in the window along with it.
void move_levels(Window& levels, const Memory& window, std::ptrdiff_t by) {
  if (levels.file != nullptr || !window.has(levels.cursor)) return;
  levels.base -= by;
  levels.cursor -= by;
  levels.end -= by;
}

// Moves the loaded bytes from the current page on to the beginning of the window.
void move_down(ColumnCursor& column) {
  Window& window = column.window;
  const Memory before = window_of(column);
  const auto by = window.cursor - window.base;
  util::move_bytes(window.base, window.cursor, window.available());
  window.cursor -= by;
  window.end -= by;
  if (before.has(column.cursor)) {
    column.cursor -= by;
    column.body_end -= by;
  }
  if (column.levels != nullptr) move_levels(column.levels->bytes, before, by);
  if (has_repetition_levels(column)) move_levels(read::repeated_levels(column).repetition.bytes, before, by);
}

// Returns the part of the window beside the page: bytes read ahead, or unused.
Memory beside_page(const ColumnCursor& column) {
  Memory window = window_of(column);
  const Window* const levels = levels_in_place(column);
  if (levels != nullptr && window.has(levels->cursor)) window.begin = levels->end;
  if (window_of(column).has(column.cursor)) window.begin = column.body_end;
  return window;
}

// Takes bytes that were read ahead, which are then read again: a quarter of them, or `least` bytes if that is
// more. This happens once in many pages.
Memory read_ahead(const ColumnCursor& column, std::uint32_t least) {
  Memory memory = beside_page(column);
  const std::size_t share = memory.bytes() / 4 > least ? memory.bytes() / 4 : least;
  if (share < memory.bytes()) memory.begin = memory.end - share;
  return memory;
}

// Excludes levels unpacked for the page, which lie at the end of the memory.
void end_before(Memory& memory, const Window& levels) {
  if (levels.file == nullptr && memory.has(levels.cursor)) memory.end = levels.cursor;
}

// Returns the unused part of the page memory. A page that lies neither here nor in the window is read in the
// mapped file.
Memory free_of_page_memory(const ColumnCursor& column) {
  Memory page = page_memory_of(column);
  if (page.has(column.cursor)) page.begin = column.body_end;
  if (column.levels != nullptr) end_before(page, column.levels->bytes);
  if (has_repetition_levels(column)) end_before(page, read::repeated_levels(column).repetition.bytes);
  return page;
}

}  // namespace

Status ColumnCursor::make_room(std::uint32_t least, std::uint64_t most, Span<std::byte>& room) {
  Memory memory = free_of_page_memory(*this);
  if (memory.bytes() < least) memory = {window.end, window.base + window.capacity};
  if (memory.bytes() < least) memory = read_ahead(*this, least);
  if (memory.bytes() < least) {
    move_down(*this);
    memory = read_ahead(*this, least);
  }
  if (memory.bytes() < least) {
    // In a larger buffer an eighth may go to the levels.
    reader->needed_bytes = std::uint64_t{memory_bytes} + least + least / 4;
    return Status::kOutOfMemory;
  }
  // Take the end: the next call can then take the bytes before it.
  if (most < memory.bytes()) memory.begin = memory.end - static_cast<std::size_t>(most);
  if (memory.end == window.base + window.capacity)
    window.cut(static_cast<std::uint32_t>(memory.begin - window.base));
  room = Span<std::byte>(memory.begin, memory.bytes());
  return Status::kOk;
}

}  // namespace microparquet::detail
