// File that lies in memory and is only read: in flash that is executed in place, in an array of the program,
// or mapped by the system.
#pragma once

#include <cstddef>

#include "microparquet/mapped_file.h"
#include "microparquet/span.h"

namespace microparquet {

// File whose pages readers show where they lie. The memory is the caller's and must not change. Thread-safe.
class MemoryImage final : public MappedFile {
 public:
  // Takes the bytes of a whole file.
  explicit constexpr MemoryImage(Span<const std::byte> bytes) : bytes_(bytes) {}

  Span<const std::byte> view() override { return bytes_; }

 private:
  Span<const std::byte> bytes_;
};

}  // namespace microparquet
