// Bytes as a file, for the fuzzers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "support/read_only_file.h"

class FuzzInput final : public support::ReadOnlyFile {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  microparquet::Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return microparquet::Status::kOk;
  }
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    // The reader knows the size of the file: it has no reason to ask for more.
    if (offset > size_ || out.size() > size_ - offset) std::abort();
    std::memcpy(out.data(), data_ + offset, out.size());
    return microparquet::Status::kOk;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};
