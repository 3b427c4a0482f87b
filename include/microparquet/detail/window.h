// Window through which a file is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet::detail {

// Holds the bytes [position(), offset) of a file. Without a file it shows bytes already in memory.
struct Window {
  File* file;
  std::byte* base;
  std::byte* cursor;     // next byte
  std::byte* end;        // one past the last loaded byte
  std::uint64_t offset;  // place of `end` in the file
  std::uint64_t limit;   // place in the file from which on nothing is loaded
  std::uint32_t capacity;

  std::size_t available() const { return static_cast<std::size_t>(end - cursor); }
  std::uint64_t position() const;  // place of the cursor in the file
  std::uint64_t left() const;      // bytes from there to the limit

  // Begins an empty window on [position, limit) of `source`.
  void begin(File& source, std::byte* memory, std::uint32_t bytes);

  // Shows `bytes` bytes of memory, counted from 0, and nothing else.
  void view_memory(std::byte* memory, std::uint32_t bytes);

  // Continues at `position` in the file, up to `limit`. Loaded bytes from there on stay. Requires: nothing is
  // loaded beyond `limit`.
  void seek(std::uint64_t position, std::uint64_t limit);

  // Continues at `position` with nothing loaded.
  void restart_at(std::uint64_t position, std::uint64_t limit);

  // Makes sure that `bytes` bytes are loaded, and loads as much as fits with them. They may move in memory.
  // - kCorrupt: the limit is nearer than that
  // - kOutOfMemory: more than the capacity
  Status fill(std::uint32_t bytes);

  // Limits the window to `bytes` bytes of its memory. Bytes loaded beyond them are loaded again when needed.
  void cut(std::uint32_t bytes);

  // Passes `bytes` bytes without loading those not yet in memory. kCorrupt: the limit is nearer.
  Status skip(std::uint64_t bytes);
};

}  // namespace microparquet::detail
