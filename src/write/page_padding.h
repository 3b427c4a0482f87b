// How our extension of a page header begins (BinaryProtocolExtensions.md); the rest of it is zeros.
#pragma once

#include <cstdint>

namespace microparquet::write {

// Field header of 32767: type binary, id in the long form.
inline constexpr std::uint8_t kPaddingField[] = {0x08, 0xFE, 0xFF, 0x03};
// With a length in two bytes.
inline constexpr std::uint32_t kPaddingHeader = sizeof kPaddingField + 2;
inline constexpr char kPaddingTag[4] = {'m', 'p', 'q', 'p'};
inline constexpr std::uint32_t kLeastPadding = kPaddingHeader + sizeof kPaddingTag;

}  // namespace microparquet::write
