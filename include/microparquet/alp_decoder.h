// The decoder of ALP (AlpEncoding.md), which the format has in preview: decimals in floating point as packed integers.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Of float and double. Since the exceptions of some hundred values stand after these, a page must fit in its column's
// buffer whole: else it is kOutOfMemory, see Reader::needed_bytes(). A compressed page is there anyway. Exceptions that
// do not stand in the order of their places are kUnsupported, and so are pages in a mode that the format reserves.
// A double takes two multiplications of doubles, which cores without a unit for these compute in software.
class AlpDecoder final : public Decoder {
 public:
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 64;

  constexpr AlpDecoder() : Decoder(EncodingId::kAlp, {Type::kFloat, Type::kDouble}, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// For ReaderOptions::decoders.
inline constexpr AlpDecoder kAlpDecoder;

}  // namespace microparquet
