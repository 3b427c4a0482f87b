// A file of a medium that gives back a wrong bit once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/forwarding_file.h"

namespace support {

class MisreadFile final : public ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
    const microparquet::Status status = ForwardingFile::read_at(offset, out);
    if (reads_left-- == 0) out[out.size() / 2] ^= std::byte{1};
    return status;
  }

  int reads_left = -1;  // before the wrong one; negative: there is none
};

}  // namespace support
