// LZ4, the compression that the format has given up for LZ4_RAW, by liblz4.
#pragma once

#include "microparquet/decompressor.h"

namespace microparquet::desktop {

// The format never said how its blocks are framed, so there are files with Hadoop's frames, with LZ4's own, and with a bare
// block, as LZ4_RAW has it: the first of them that makes a page of the right length is taken. Thread-safe.
class Lz4Decompressor final : public Decompressor {
 public:
  constexpr Lz4Decompressor() : Decompressor(CodecId::kLz4) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

inline constexpr Lz4Decompressor kLz4Decompressor;

}  // namespace microparquet::desktop
