// Loop of the portable CRC-32 functions, which differ in their tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace microparquet::util {

// Returns the effect of bits that leave the register on the rest of it, one at a time: for making tables.
constexpr std::uint32_t crc32_of_bits(std::uint32_t value, int bits) {
  for (; bits != 0; --bits) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0U);
  return value;
}

// Computes a CRC-32. Aligned input is folded into the register a word at a time, and then shifted out.
// `Register` shifts out a byte or a word, inlined even at -Os, since a call for each would double the work.
template <typename Register>
[[gnu::always_inline]] inline std::uint32_t crc32_loop(std::uint32_t crc, const void* data,
                                                       std::size_t bytes) {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  const auto* at = static_cast<const std::byte*>(data);
  const std::byte* const end = at + bytes;
  crc = ~crc;
  while (at != end) {
    const auto left = static_cast<std::size_t>(end - at);
    if (reinterpret_cast<std::uintptr_t>(at) % kWord == 0 && left >= kWord) {
      const std::byte* const last_word = at + (left & ~(kWord - 1));
      do {
        std::uint32_t word = 0;
        std::memcpy(&word, __builtin_assume_aligned(at, kWord), kWord);
        crc = Register::shift_word(crc ^ word);
        at += kWord;
      } while (at != last_word);
    } else {
      crc = Register::shift_byte(crc ^ static_cast<std::uint32_t>(*at++));
    }
  }
  return ~crc;
}

}  // namespace microparquet::util
