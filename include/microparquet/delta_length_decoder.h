// The decoder of DELTA_LENGTH_BYTE_ARRAY (Encodings.md): the lengths of byte arrays as packed differences, and
// their bytes after them.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Of byte_array. Since the bytes lie far from the lengths, a page must fit in its column's buffer whole: else it
// is kOutOfMemory, see Reader::needed_bytes(). A compressed page is there anyway. All lengths of a page are
// looked through before its first value is given out. As DeltaDecoder, it reads blocks of up to
// DeltaDecoder::kMostMiniblocks miniblocks.
class DeltaLengthDecoder final : public Decoder {
 public:
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 88;

  constexpr DeltaLengthDecoder()
      : Decoder(EncodingId::kDeltaLengthByteArray, Type::kByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// For ReaderOptions::decoders.
inline constexpr DeltaLengthDecoder kDeltaLengthDecoder;

}  // namespace microparquet
