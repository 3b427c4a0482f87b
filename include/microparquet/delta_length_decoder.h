// Decoder of DELTA_LENGTH_BYTE_ARRAY (Encodings.md): the lengths of byte arrays as packed differences, then
// their bytes.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Decodes byte_array. The bytes lie far from the lengths, so a page must fit in its column's buffer whole;
// otherwise the status is kOutOfMemory, see Reader::needed_bytes(). A compressed page is there anyway. The
// decoder checks all lengths of a page before it gives out the first value. Like DeltaDecoder, it reads
// blocks of up to DeltaDecoder::kMostMiniblocks miniblocks.
class DeltaLengthDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 88;

  constexpr DeltaLengthDecoder()
      : Decoder(EncodingId::kDeltaLengthByteArray, Type::kByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr DeltaLengthDecoder kDeltaLengthDecoder;

}  // namespace microparquet
