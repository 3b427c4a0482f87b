// A decompressor of a program's own: SNAPPY, written by what decompressor.h says and nothing else.
#pragma once

#include "microparquet/decompressor.h"

namespace extension {

namespace mpq = microparquet;

class SnappyDecompressor final : public mpq::Decompressor {
 public:
  constexpr SnappyDecompressor() : Decompressor(mpq::CodecId::kSnappy) {}
  mpq::Status decompress(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
                         mpq::Span<std::byte> scratch) const override;
};

inline constexpr SnappyDecompressor kOwnSnappyDecompressor;

}  // namespace extension
