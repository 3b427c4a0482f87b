// The decoder of BYTE_STREAM_SPLIT (Encodings.md): the first byte of each value, then the second of each, and
// so on.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"

namespace microparquet {

// Of values of up to kMostValueBytes bytes; wider ones are kUnsupported. Since the bytes of a value lie far
// apart, a page must fit in its column's buffer whole: else it is kOutOfMemory, see Reader::needed_bytes(). A
// compressed page is there anyway.
class ByteStreamSplitDecoder final : public Decoder {
 public:
  // Of a value.
  static constexpr std::uint32_t kMostValueBytes = 16;
  // Of a column: see state_bytes().
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

// Of fixed_len_byte_array of any length: beside the page a value must fit in its column's buffer. To be named
// before the other one, which takes those of up to 16 bytes with less code.
class WideByteStreamSplitDecoder final : public Decoder {
 public:
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 24;
  constexpr WideByteStreamSplitDecoder()
      : Decoder(EncodingId::kByteStreamSplit, Type::kFixedLenByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// For ReaderOptions::decoders.
inline constexpr ByteStreamSplitDecoder kByteStreamSplitDecoder;
// For ReaderOptions::decoders.
inline constexpr WideByteStreamSplitDecoder kWideByteStreamSplitDecoder;

}  // namespace microparquet
