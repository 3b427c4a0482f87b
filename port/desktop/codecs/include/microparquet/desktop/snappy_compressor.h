// SNAPPY for writing, by libsnappy. Its pages are read by codecs.h, of the library.
#pragma once

#include "microparquet/compressor.h"

namespace microparquet::desktop {

// Stores a page as one literal if libsnappy does not make it smaller. Thread-safe.
class SnappyCompressor final : public Compressor {
 public:
  constexpr SnappyCompressor() : Compressor(CodecId::kSnappy, {10, 0}) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override;
};

inline constexpr SnappyCompressor kSnappyCompressor;

}  // namespace microparquet::desktop
