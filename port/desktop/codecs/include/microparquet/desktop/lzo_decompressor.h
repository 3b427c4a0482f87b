// LZO, by liblzo2, which is under the GNU General Public License: so is a program that is linked with it.
#pragma once

#include "microparquet/decompressor.h"

namespace microparquet::desktop {

// LZO1X in Hadoop's frames, as its codec writes them. Thread-safe.
class LzoDecompressor final : public Decompressor {
 public:
  constexpr LzoDecompressor() : Decompressor(CodecId::kLzo) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

inline constexpr LzoDecompressor kLzoDecompressor;

}  // namespace microparquet::desktop
