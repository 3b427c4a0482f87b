// File in memory, such as battery-backed RAM or a buffer that is sent away when it is full.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// File that seeks, reads back and shrinks. The memory is the caller's and must outlive the file; nothing is
// copied elsewhere, so barrier() and sync() do nothing. One thread.
class MemoryFile final : public File {
 public:
  // Makes an empty file that can grow to memory.size(), or with `size` one of the first `size` bytes.
  // Requires: size <= memory.size().
  explicit MemoryFile(Span<std::byte> memory, std::size_t size = 0) : memory_(memory), size_(size) {}

  // Returns the present contents. Valid until the memory changes.
  Span<const std::byte> contents() const { return Span<const std::byte>(memory_.data(), size_); }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // Bytes between the present end and `offset` become zero.
  // - kNoSpace: past the end of the memory; nothing is written
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // - kNoSpace: past the end of the memory
  Status reserve(std::uint64_t end) override;
  Status sync(std::uint64_t size) override;

  // - kInvalidArgument: `size` is larger than the file
  Status shrink(std::uint64_t size) override;

 private:
  Span<std::byte> memory_;
  std::size_t size_;
};

}  // namespace microparquet
