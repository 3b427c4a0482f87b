// A file that is only read: a test says how long it is, and what is read of it.
#pragma once

#include <cstdint>

#include "microparquet/file.h"

namespace support {

class ReadOnlyFile : public microparquet::File {
 public:
  microparquet::FileAbilities abilities() const override { return {true, true, false}; }
  microparquet::Status write_at(std::uint64_t, microparquet::Span<const std::byte>) override {
    return microparquet::Status::kUnsupported;
  }
  microparquet::Status sync(std::uint64_t) override { return microparquet::Status::kUnsupported; }

 protected:
  ~ReadOnlyFile() = default;
};

}  // namespace support
