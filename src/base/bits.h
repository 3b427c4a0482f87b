// Conversion between eight bits and eight bytes that are 0 or 1, in both the first one lowest.
#pragma once

#include <cstdint>

namespace microparquet::util {

inline constexpr std::uint64_t kEachByte = 0x0101010101010101;

// Returns eight such bytes as bits: the product has them in its highest byte.
constexpr std::uint32_t bits_of_bytes(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(bytes * 0x0102040810204080 >> 56);
}

// Returns how many of eight such bytes are 1.
constexpr std::uint32_t count_bytes(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(bytes * kEachByte >> 56);
}

// Turns each of eight bytes into 1 unless it is 0.
constexpr std::uint64_t bytes_set(std::uint64_t bytes) {
  constexpr std::uint64_t kLow = 0x7F * kEachByte;
  return (bytes | ((bytes & kLow) + kLow)) >> 7 & kEachByte;
}

// Returns eight bits as bytes: each byte of the product keeps one bit, which becomes its lowest.
constexpr std::uint64_t bytes_of_bits(std::uint32_t bits) {
  constexpr std::uint64_t kOneEach = 0x8040201008040201;
  return bytes_set(bits * kEachByte & kOneEach);
}

// Returns eight numbers of `width` bits as bytes, the first one lowest. Requires: 0 < width <= 4.
constexpr std::uint64_t bytes_of_numbers(std::uint32_t numbers, unsigned width) {
  std::uint64_t bytes = 0;
  const std::uint32_t mask = (1U << width) - 1;
  for (unsigned i = 0; i < 8; ++i, numbers >>= width) bytes |= std::uint64_t{numbers & mask} << 8 * i;
  return bytes;
}

}  // namespace microparquet::util
