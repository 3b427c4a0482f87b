// Unsigned LEB128 varints in memory.
#pragma once

#include <cstddef>

namespace microparquet::util {

// Writes a varint; returns the place after it.
template <typename Bits>
std::byte* put_varint(std::byte* at, Bits value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::byte>((value & 0x7F) | 0x80);
  *at++ = static_cast<std::byte>(value);
  return at;
}

}  // namespace microparquet::util
