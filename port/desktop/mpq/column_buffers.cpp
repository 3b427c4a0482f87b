#include "column_buffers.h"

#include <utility>

namespace mpq_tool {

void ColumnBuffers::enlarge(microparquet::Reader& reader, std::size_t i, std::uint32_t bytes) {
  std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
  if (reader.move_buffer(i, {memory.get(), bytes}) != microparquet::Status::kOk) {
    return;
  }
  // Levels of the current page may lie in the buffer before; those of pages before it are not needed any
  // more.
  std::vector<Block>& blocks = blocks_[i];
  while (blocks.size() > 1 && blocks.front().row_group != reader.row_group()) {
    blocks.erase(blocks.begin());
  }
  blocks.push_back({reader.row_group(), std::move(memory)});
}

}  // namespace mpq_tool
