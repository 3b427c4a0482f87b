// ZSTD, by libzstd.
#pragma once

#include "microparquet/compressor.h"
#include "microparquet/decompressor.h"

namespace microparquet::desktop {

// Thread-safe.
class ZstdDecompressor final : public Decompressor {
 public:
  constexpr ZstdDecompressor() : Decompressor(CodecId::kZstd) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// Compresses at libzstd's usual level, for pages of numbers. Thread-safe.
class ZstdCompressor final : public Compressor {
 public:
  constexpr ZstdCompressor() : Compressor(CodecId::kZstd, {64, 256}) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override;
};

inline constexpr ZstdDecompressor kZstdDecompressor;
inline constexpr ZstdCompressor kZstdCompressor;

}  // namespace microparquet::desktop
