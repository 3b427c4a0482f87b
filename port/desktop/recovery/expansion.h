// How long compressed bytes become.
#pragma once

#include <cstdint>

#include "microparquet/codec_id.h"

namespace microparquet::recovery {

// How many bytes a compressed one becomes at most.
constexpr std::uint64_t most_expanded(CodecId codec) {
  switch (codec) {
    case CodecId::kUncompressed: return 1;
    case CodecId::kSnappy: return 32;        // copies of 64 bytes, in 3
    case CodecId::kGzip: return 1040;        // of 258, in 2 bits
    case CodecId::kZstd: return 1 << 15;     // blocks of 128 KiB, in 4
    case CodecId::kBrotli: return 16 << 20;  // copies of 16 MiB, in a few bits
    default: return 256;
  }
}

}  // namespace microparquet::recovery
