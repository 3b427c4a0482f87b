// Sizes and rounding.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/config.h"

namespace microparquet::detail {

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t power_of_two) {
  return (value + power_of_two - 1) & ~(power_of_two - 1);
}

// Rounds up to 8 bytes, the alignment of an arena's parts.
constexpr std::size_t align8(std::size_t bytes) { return (bytes + 7) & ~static_cast<std::size_t>(7); }

// Returns the length of `value` as an unsigned LEB128 varint.
template <typename Bits>
constexpr std::uint32_t varint_bytes(Bits value) {
  std::uint32_t bytes = 1;
  while (value >= 0x80) {
    value >>= 7;
    ++bytes;
  }
  return bytes;
}

// Convert a signed number so that small ones of either sign become small, and back.
template <typename Bits>
constexpr Bits zigzag(Bits number) {
  return number << 1 ^ (0 - (number >> (8 * sizeof number - 1)));
}
template <typename Bits>
constexpr Bits unzigzag(Bits zigzag) {
  return zigzag >> 1 ^ (0 - (zigzag & 1));
}

}  // namespace microparquet::detail
