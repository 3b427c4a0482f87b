// Decompressor of SNAPPY (Compression.md).
#pragma once

#include <cstddef>

#include "microparquet/decompressor.h"

namespace microparquet {

// Decompresses without memory of its own. Thread-safe.
class SnappyDecompressor final : public Decompressor {
 public:
  constexpr SnappyDecompressor() : Decompressor(CodecId::kSnappy) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// Object for ReaderOptions::decompressors.
inline constexpr SnappyDecompressor kSnappyDecompressor;

}  // namespace microparquet
