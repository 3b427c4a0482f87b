// A compressor of a program's own: SNAPPY that finds what repeats after eight bytes, written by what
// compressor.h says and nothing else.
//
//   varint    bytes before compression
//   literal   (bytes - 1) << 2, or 61 << 2 and that in two bytes; the bytes
//   copy      (bytes - 1) << 2 | 2, for up to 64 bytes; how far back they stand, in two bytes
#pragma once

#include "microparquet/compressor.h"

namespace extension {

namespace mpq = microparquet;

class SnappyCompressor final : public mpq::Compressor {
 public:
  // Bytes that do not repeat become literals, with three bytes for each 64 KiB; a literal after a copy costs
  // no more than the copy has saved.
  constexpr SnappyCompressor() : Compressor(mpq::CodecId::kSnappy, {8, 16'384}) {}

  std::uint32_t compress_page(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
                              mpq::Span<std::byte> scratch) const override;
};

inline constexpr SnappyCompressor kSnappyCompressor;

}  // namespace extension
