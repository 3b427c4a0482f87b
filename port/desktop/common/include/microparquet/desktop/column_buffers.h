// Buffers of columns whose values do not fit in the arena's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "microparquet/reader.h"

namespace microparquet::desktop {

// Memory that single columns of a reader are moved to, so that one long value does not cost a long buffer for
// each column. It must outlive the reader's next open() or choose().
class ColumnBuffers {
 public:
  void clear() { blocks_.clear(); }

  // Gives the chosen column `i` a buffer of `bytes` bytes, between two calls for rows. The values of other
  // columns, and where the reader is, stay.
  void enlarge(Reader& reader, std::size_t i, std::uint32_t bytes) {
    std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
    if (reader.move_buffer(i, {memory.get(), bytes}) != Status::kOk) {
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

 private:
  struct Block {
    std::uint32_t row_group;
    std::unique_ptr<std::byte[]> memory;
  };
  std::map<std::size_t, std::vector<Block>> blocks_;  // of each column
};

}  // namespace microparquet::desktop
