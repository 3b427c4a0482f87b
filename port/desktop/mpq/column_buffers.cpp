#include "column_buffers.h"

#include <cstring>
#include <utility>

namespace mpq_tool {

void ColumnBuffers::enlarge(microparquet::Reader& reader, std::size_t i, std::uint32_t bytes) {
  microparquet::detail::ColumnCursor& column = reader.state().columns[i];
  microparquet::detail::Window& window = column.window;
  std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
  std::byte* const begin = memory.get();
  std::memcpy(begin, window.cursor, window.available());
  column.body_end = begin + column.available();
  window.end = begin + window.available();
  window.base = begin;
  window.cursor = begin;
  window.capacity = bytes;
  column.buffer_bytes = bytes;
  // Levels of the current page may lie in the buffer before; those of pages before it are not needed any
  // more.
  std::vector<Block>& blocks = blocks_[i];
  while (blocks.size() > 1 && blocks.front().row_group != reader.row_group()) {
    blocks.erase(blocks.begin());
  }
  blocks.push_back({reader.row_group(), std::move(memory)});
}

}  // namespace mpq_tool
