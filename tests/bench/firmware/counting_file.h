// A file in a memory of the caller, for measurements: it counts what it is asked to do, and calls nothing of
// the C library, so that neither image nor profile shows a function the library under test did not bring.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"

namespace microparquet::bench {

class CountingFile final : public File {
 public:
  // `memory` holds the file and outlives it.
  void use(Span<std::byte> memory) { memory_ = memory; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status sync(std::uint64_t size) override;

  std::uint32_t writes() const { return writes_; }
  std::uint32_t written_bytes() const { return written_bytes_; }

 private:
  // Whether the file may hold `bytes` bytes from `offset` on.
  bool holds(std::uint64_t offset, std::size_t bytes) const;

  Span<std::byte> memory_;
  std::uint32_t size_ = 0;
  std::uint32_t writes_ = 0;
  std::uint32_t written_bytes_ = 0;
};

}  // namespace microparquet::bench
