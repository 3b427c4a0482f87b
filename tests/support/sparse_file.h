// A file in memory that is large, and most of which is never touched, so that it takes little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "microparquet/file.h"

namespace support {

template <std::size_t kBytes>
class SparseFile : public microparquet::File {
 public:
  virtual ~SparseFile() = default;
  microparquet::FileAbilities abilities() const override { return {true, true, true}; }
  microparquet::Status size(std::uint64_t& bytes) override {
    bytes = published_;
    return microparquet::Status::kOk;
  }
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    std::memcpy(out.data(), memory_.get() + offset, out.size());
    return microparquet::Status::kOk;
  }
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override {
    if (offset + data.size() > kBytes) return microparquet::Status::kNoSpace;
    std::memcpy(memory_.get() + offset, data.data(), data.size());
    return microparquet::Status::kOk;
  }
  microparquet::Status sync(std::uint64_t bytes) override {
    published_ = bytes;
    return microparquet::Status::kOk;
  }
  microparquet::Status shrink(std::uint64_t bytes) override { return sync(bytes); }

  std::uint64_t published() const { return published_; }

 private:
  std::unique_ptr<std::byte[]> memory_{new std::byte[kBytes]};
  std::uint64_t published_ = 0;
};

}  // namespace support
