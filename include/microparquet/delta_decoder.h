// Decoder of DELTA_BINARY_PACKED (Encodings.md): integers as packed differences.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Decodes int32 and int64. Blocks may have any size, with up to kMostMiniblocks miniblocks, since the decoder
// keeps their widths; a page with more is kUnsupported.
class DeltaDecoder final : public Decoder {
 public:
  // Largest number of miniblocks in a block.
  static constexpr std::uint32_t kMostMiniblocks = 32;
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 72;

  constexpr DeltaDecoder()
      : Decoder(EncodingId::kDeltaBinaryPacked, {Type::kInt32, Type::kInt64}, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr DeltaDecoder kDeltaDecoder;

}  // namespace microparquet
