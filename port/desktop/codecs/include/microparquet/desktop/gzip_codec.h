// GZIP, by zlib.
#pragma once

#include "microparquet/compressor.h"
#include "microparquet/decompressor.h"

namespace microparquet::desktop {

// Undoes any number of members of RFC 1952, one after another, and takes those of RFC 1950, too, which some writers make.
// Thread-safe.
class GzipDecompressor final : public Decompressor {
 public:
  constexpr GzipDecompressor() : Decompressor(CodecId::kGzip) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// One member of zlib's usual level for each page, with the CRC of the page's bytes as its time: so a page's checksum tells pages
// that could not be made smaller from each other. Thread-safe.
class GzipCompressor final : public Compressor {
 public:
  constexpr GzipCompressor() : Compressor(CodecId::kGzip, {32, 2048}) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override;
};

inline constexpr GzipDecompressor kGzipDecompressor;
inline constexpr GzipCompressor kGzipCompressor;

}  // namespace microparquet::desktop
