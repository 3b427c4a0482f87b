// BROTLI, by libbrotli.
#pragma once

#include "microparquet/compressor.h"
#include "microparquet/decompressor.h"

namespace microparquet::desktop {

// Thread-safe.
class BrotliDecompressor final : public Decompressor {
 public:
  constexpr BrotliDecompressor() : Decompressor(CodecId::kBrotli) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// Compresses at a quality that takes as long as GZIP does: libbrotli's own, 11, takes fifty times that.
// Thread-safe.
class BrotliCompressor final : public Compressor {
 public:
  constexpr BrotliCompressor() : Compressor(CodecId::kBrotli, {16, 4096}) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override;
};

inline constexpr BrotliDecompressor kBrotliDecompressor;
inline constexpr BrotliCompressor kBrotliCompressor;

}  // namespace microparquet::desktop
