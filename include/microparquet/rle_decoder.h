// Decoder of booleans in RLE (Encodings.md).
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Decodes RLE of boolean. Thread-safe.
class RleBooleanDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 16;
  constexpr RleBooleanDecoder() : Decoder(EncodingId::kRle, Type::kBoolean, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr RleBooleanDecoder kRleBooleanDecoder;

}  // namespace microparquet
