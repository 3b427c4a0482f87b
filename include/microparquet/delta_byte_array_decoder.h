// Decoders of DELTA_BYTE_ARRAY (Encodings.md): for each value the length of the prefix that it shares with
// the one before it, and the rest.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Decodes byte_array. A page must fit in its column's buffer whole, and beside it the longest of its values,
// which is no longer than the page; otherwise the status is kOutOfMemory, see Reader::needed_bytes(). A batch
// has as many values as fit there at once: a buffer of twice the page's bytes, or more if the values repeat
// much, makes batches longer. The decoder checks all lengths of a page before it gives out the first value.
class DeltaByteArrayDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 200;

  constexpr DeltaByteArrayDecoder() : Decoder(EncodingId::kDeltaByteArray, Type::kByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Decodes fixed_len_byte_array, with the same memory.
class DeltaFixedDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = DeltaByteArrayDecoder::kStateBytes;

  constexpr DeltaFixedDecoder()
      : Decoder(EncodingId::kDeltaByteArray, Type::kFixedLenByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr DeltaByteArrayDecoder kDeltaByteArrayDecoder;
// Object for ReaderOptions::decoders.
inline constexpr DeltaFixedDecoder kDeltaFixedDecoder;

}  // namespace microparquet
