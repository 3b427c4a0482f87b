// Bytes in memory, their checksum, and how long compressed ones become.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/codec_id.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/span.h"

namespace microparquet::recovery {

using Bytes = std::vector<std::byte>;
using ByteView = Span<const std::byte>;

inline void append(Bytes& bytes, ByteView more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

// The checksum of `bytes`, after those whose checksum is `seed`.
inline std::uint32_t crc_of(std::uint32_t seed, ByteView bytes) {
  return crc32_hardware(seed, bytes.data(), bytes.size());
}

// The most bytes that one compressed byte becomes.
constexpr std::uint64_t most_expanded(CodecId codec) {
  switch (codec) {
    case CodecId::kUncompressed: return 1;
    case CodecId::kSnappy: return 32;        // copies of 64 bytes, in 3
    case CodecId::kGzip: return 1040;        // copies of 258 bytes, in 2 bits
    case CodecId::kZstd: return 1 << 15;     // blocks of 128 KiB, in 4
    case CodecId::kBrotli: return 16 << 20;  // copies of 16 MiB, in a few bits
    default: return 256;
  }
}

}  // namespace microparquet::recovery
