// Bytes on their way to a file through a small window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/crc32.h"
#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::thrift {

// Collects bytes in a window and writes it to the file whenever it is full. Without a file it only counts and
// sums up, so that the same encoder measures first and writes then. The first error stays and stops all
// writing; ask for it at the end.
class WindowSink {
 public:
  WindowSink(File* file, std::uint64_t offset, Span<std::byte> window, Crc32 crc)
      : file_(file), crc_function_(crc), window_(window), offset_(offset), begin_(offset) {}

  // For files that only go forward: `written_to` is the offset up to which an earlier, interrupted try has
  // written the same bytes; they are not written again. It moves on with every write that succeeds.
  void resume(std::uint64_t* written_to) { written_to_ = written_to; }

  void put(std::byte byte);
  void put(const void* data, std::size_t bytes);
  void put_zeros(std::uint32_t bytes);
  // Appends `bytes` bytes that stand at `offset` in `source`.
  void copy(File& source, std::uint64_t offset, std::uint64_t bytes);

  // Starts a checksum over what is put from here on.
  void begin_crc(std::uint32_t seed);
  std::uint32_t crc();

  // Where the next byte goes in the file.
  std::uint64_t position() const { return offset_ + used_; }
  std::uint64_t written() const { return position() - begin_; }

  // Writes what the window holds; what the whole came to.
  Status flush();

 private:
  void drain();
  void sum_up();

  File* file_;
  Crc32 crc_function_;
  Span<std::byte> window_;
  std::uint64_t offset_;  // in the file, of the window's first byte
  std::uint64_t begin_;
  std::uint64_t* written_to_ = nullptr;
  std::uint32_t used_ = 0;
  std::uint32_t summed_ = 0;  // bytes of the window that are in crc_
  std::uint32_t crc_ = 0;
  Status status_ = Status::kOk;
};

}  // namespace microparquet::thrift
