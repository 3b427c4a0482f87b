// Decoder of BYTE_STREAM_SPLIT (Encodings.md): the first byte of each value, then the second of each, and so
// on.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Decodes values of up to kMostValueBytes bytes; wider ones are kUnsupported. The bytes of a value lie far
// apart, so a page must fit in its column's buffer whole; otherwise the status is kOutOfMemory, see
// Reader::needed_bytes(). A compressed page is there anyway.
class ByteStreamSplitDecoder final : public Decoder {
 public:
  // Longest value.
  static constexpr std::uint32_t kMostValueBytes = 16;
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 24;
  constexpr ByteStreamSplitDecoder()
      : Decoder(EncodingId::kByteStreamSplit,
                {Type::kInt32, Type::kInt64, Type::kFloat, Type::kDouble, Type::kFixedLenByteArray},
                kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Decodes fixed_len_byte_array of any length; a value must fit in its column's buffer beside the page. Name
// it before the other one, which decodes values of up to 16 bytes with less code.
class WideByteStreamSplitDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 24;
  constexpr WideByteStreamSplitDecoder()
      : Decoder(EncodingId::kByteStreamSplit, Type::kFixedLenByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr ByteStreamSplitDecoder kByteStreamSplitDecoder;
// Object for ReaderOptions::decoders.
inline constexpr WideByteStreamSplitDecoder kWideByteStreamSplitDecoder;

}  // namespace microparquet
