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
  // columns, and where the reader is, stay. False: it is not longer than the one before.
  bool enlarge(Reader& reader, std::size_t i, std::uint32_t bytes) {
    std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
    if (reader.move_buffer(i, {memory.get(), bytes}) != Status::kOk) {
      return false;
    }
    // Levels of the current page may lie in the buffer before; those of pages before it are not needed any
    // more.
    std::vector<Block>& blocks = blocks_[i];
    while (blocks.size() > 1 && blocks.front().row_group != reader.row_group()) {
      blocks.erase(blocks.begin());
    }
    blocks.push_back({reader.row_group(), std::move(memory)});
    return true;
  }

  // Gives the chosen column `i`, after kValueTooLarge or kOutOfMemory, a buffer in which the data fits, and a
  // little more. False: no buffer of less than 2 GiB would do.
  bool make_room(Reader& reader, std::size_t i) {
    constexpr std::uint64_t kMost = 0x7FFFFFFF;
    const std::uint64_t bytes = reader.needed_bytes() + reader.needed_bytes() / 4 + 64;
    if (bytes > kMost) {
      return false;
    }
    return enlarge(reader, i, static_cast<std::uint32_t>(bytes));
  }

  // Calls `call()`, which reads chosen column `i`, again with a longer buffer as long as what it reads does not fit.
  template <typename Call>
  Status with_buffer(Reader& reader, std::size_t i, Call call) {
    Status status = call();
    while ((status == Status::kValueTooLarge || status == Status::kOutOfMemory) && make_room(reader, i)) {
      status = call();
    }
    return status;
  }

 private:
  struct Block {
    std::uint32_t row_group;
    std::unique_ptr<std::byte[]> memory;
  };
  std::map<std::size_t, std::vector<Block>> blocks_;  // blocks of each column
};

}  // namespace microparquet::desktop
