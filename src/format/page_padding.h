// How our extension of a page header begins (BinaryProtocolExtensions.md); the rest of it is zeros.
#pragma once

#include <cstdint>

namespace microparquet::write {

// Field header of 32767, as a word: type binary, id in the long form, 08 FE FF 03.
inline constexpr std::uint32_t kPaddingField = 0x03FFFE08;
// With a length in two bytes.
inline constexpr std::uint32_t kPaddingHeader = sizeof kPaddingField + 2;
inline constexpr std::uint32_t kPaddingTag = 0x7071706D;  // "mpqp"
inline constexpr std::uint32_t kMinPadding = kPaddingHeader + sizeof kPaddingTag;

}  // namespace microparquet::write
