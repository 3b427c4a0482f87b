// A part of a file on its way through memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet::detail {

// Holds the bytes [position(), offset) of a file. Without a file it shows memory that is there already.
struct Window {
  File* file;
  std::byte* base;
  std::byte* cursor;     // the next byte
  std::byte* end;        // one past the last byte that is there
  std::uint64_t offset;  // in the file, of `end`
  std::uint64_t limit;   // in the file: nothing is loaded from here on
  std::uint32_t capacity;

  std::size_t available() const { return static_cast<std::size_t>(end - cursor); }
  std::uint64_t position() const;  // in the file, of the cursor
  std::uint64_t left() const;      // from there to the limit

  // Begins an empty window on [position, limit) of `source`.
  void begin(File& source, std::byte* memory, std::uint32_t bytes);

  // Shows `bytes` bytes of memory, which count from 0, and nothing else.
  void view_memory(std::byte* memory, std::uint32_t bytes);

  // Continues at `position` in the file, up to `limit`. What is loaded of it stays. Requires: nothing is loaded beyond `limit`.
  void seek(std::uint64_t position, std::uint64_t limit);

  // The same, with nothing loaded.
  void restart_at(std::uint64_t position, std::uint64_t limit);

  // Sees to it that `bytes` bytes are there, and loads as much as fits with them. They may move in memory.
  // - kCorrupt: the limit is nearer than that
  // - kOutOfMemory: more than the capacity
  Status fill(std::uint32_t bytes);

  // Has `bytes` bytes of its memory from now on. What is loaded beyond them is loaded again when it is needed.
  void cut(std::uint32_t bytes);

  // Passes `bytes` bytes without loading what is not there yet. kCorrupt: the limit is nearer.
  Status skip(std::uint64_t bytes);
};

}  // namespace microparquet::detail
