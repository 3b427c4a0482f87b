// Decoder of ALP (AlpEncoding.md), which the format has in preview: decimals in floating point as packed
// integers.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Decodes float and double. The exceptions of some hundred values follow these, so a page must fit in its
// column's buffer whole; otherwise the status is kOutOfMemory, see Reader::needed_bytes(). A compressed page
// is there anyway. The decoder refuses exceptions that are not in the order of their places, and modes that
// the format reserves, with kUnsupported. A double takes two multiplications of doubles, which cores without
// a unit for them compute in software.
class AlpDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 64;

  constexpr AlpDecoder() : Decoder(EncodingId::kAlp, {Type::kFloat, Type::kDouble}, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr AlpDecoder kAlpDecoder;

}  // namespace microparquet
