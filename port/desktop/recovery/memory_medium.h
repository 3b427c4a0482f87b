// A file in memory that grows.
#pragma once

#include <algorithm>

#include "byte_views.h"
#include "microparquet/file.h"

namespace microparquet::recovery {

class MemoryMedium final : public File {
 public:
  const Bytes& bytes() const { return bytes_; }

  FileAbilities abilities() const override {
    FileAbilities abilities;
    abilities.read_back = true;
    return abilities;
  }
  Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return Status::kIoError;
    }
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    bytes_.resize(std::max<std::size_t>(bytes_.size(), static_cast<std::size_t>(offset) + data.size()));
    std::copy(data.begin(), data.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return Status::kOk;
  }
  Status sync(std::uint64_t) override { return Status::kOk; }

 private:
  Bytes bytes_;
};

}  // namespace microparquet::recovery
