// Our extension of a page header (BinaryProtocolExtensions.md): its tag, and zeros.
#pragma once

#include <cstdint>

namespace microparquet::write {

// Field header of 32767, as a word: type binary, id in the long form, 08 FE FF 03.
inline constexpr std::uint32_t kPaddingField = 0x03FFFE08;
// With a length in two bytes.
inline constexpr std::uint32_t kPaddingHeader = sizeof kPaddingField + 2;
inline constexpr std::uint32_t kPaddingTag = 0x7071706D;  // "mpqp"
inline constexpr std::uint32_t kMinPadding = kPaddingHeader + sizeof kPaddingTag;

// An extension of `bytes` bytes, its field header included. Requires: kMinPadding at least, and a length of
// less than 2^14.
template <typename Sink>
void put_padding(Sink& sink, std::uint32_t bytes) {
  const std::uint32_t length = bytes - kPaddingHeader;
  sink.put(&kPaddingField, sizeof kPaddingField);
  sink.put_byte((length & 0x7F) | 0x80);
  sink.put_byte(length >> 7);
  sink.put(&kPaddingTag, sizeof kPaddingTag);
  sink.put_zeros(bytes - kMinPadding);
}

}  // namespace microparquet::write
