// A file that lies in memory and is only read: in flash that is executed in place, in an array of the
// program, or mapped by the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/mapped_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Readers show its pages where they lie. The memory is the caller's and must stay as it is. Thread-safe.
class MemoryImage final : public MappedFile {
 public:
  explicit constexpr MemoryImage(Span<const std::byte> bytes) : bytes_(bytes) {}

  Span<const std::byte> view() override { return bytes_; }
  FileAbilities abilities() const override { return {true, true, false}; }
  Status size(std::uint64_t& bytes) override {
    bytes = bytes_.size();
    return Status::kOk;
  }

  // - kIoError: past the end
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) return Status::kIoError;
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + static_cast<std::size_t>(offset), out.size());
    return Status::kOk;
  }

  // - kUnsupported: always
  Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kUnsupported; }
  Status sync(std::uint64_t) override { return Status::kUnsupported; }

 private:
  Span<const std::byte> bytes_;
};

}  // namespace microparquet
