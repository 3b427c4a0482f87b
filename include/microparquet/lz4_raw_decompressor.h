// Decompressor of LZ4_RAW (Compression.md): a block of LZ4 without a frame.
#pragma once

#include <cstddef>

#include "microparquet/decompressor.h"

namespace microparquet {

// Decompresses without memory of its own. Thread-safe.
class Lz4RawDecompressor final : public Decompressor {
 public:
  constexpr Lz4RawDecompressor() : Decompressor(CodecId::kLz4Raw) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// Object for ReaderOptions::decompressors.
inline constexpr Lz4RawDecompressor kLz4RawDecompressor;

}  // namespace microparquet
