// The decoders of DELTA_BYTE_ARRAY (Encodings.md): of each value how many bytes it has in common with the one
// before it, and the rest.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Of byte_array. A page must fit in its column's buffer whole, and beside it the longest of its values, which is
// no longer than the page: else it is kOutOfMemory, see Reader::needed_bytes(). Batches have as many values as
// find place there at once: a buffer of twice the page's bytes, or more where the values repeat much, makes
// them longer. All lengths of a page are looked through before its first value is given out.
class DeltaByteArrayDecoder final : public Decoder {
 public:
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 200;

  constexpr DeltaByteArrayDecoder() : Decoder(EncodingId::kDeltaByteArray, Type::kByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Of fixed_len_byte_array, with the same memory.
class DeltaFixedDecoder final : public Decoder {
 public:
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = DeltaByteArrayDecoder::kStateBytes;

  constexpr DeltaFixedDecoder()
      : Decoder(EncodingId::kDeltaByteArray, Type::kFixedLenByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// For ReaderOptions::decoders.
inline constexpr DeltaByteArrayDecoder kDeltaByteArrayDecoder;
// For ReaderOptions::decoders.
inline constexpr DeltaFixedDecoder kDeltaFixedDecoder;

}  // namespace microparquet
