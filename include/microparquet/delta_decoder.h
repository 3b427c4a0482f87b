// The decoder of DELTA_BINARY_PACKED (Encodings.md): integers as packed differences.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Of int32 and int64. Pages may have blocks of any size, of up to kMostMiniblocks miniblocks each, of which
// the widths are kept; a page with more is kUnsupported.
class DeltaDecoder final : public Decoder {
 public:
  // In a block.
  static constexpr std::uint32_t kMostMiniblocks = 32;
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 72;

  constexpr DeltaDecoder()
      : Decoder(EncodingId::kDeltaBinaryPacked, {Type::kInt32, Type::kInt64}, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// For ReaderOptions::decoders.
inline constexpr DeltaDecoder kDeltaDecoder;

}  // namespace microparquet
