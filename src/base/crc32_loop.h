// What the portable CRC-32 functions share: they differ in their tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace microparquet::util {

// What bits that leave the register do to the rest of it, one at a time: for making tables.
constexpr std::uint32_t crc32_of_bits(std::uint32_t value, int bits) {
  for (; bits != 0; --bits) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0U);
  return value;
}

// A word of input a step, where words are aligned: it is folded into the register at once, and then leaves
// it. `Register` says how a byte or a word leaves, inlined even at -Os: a call for each would double the
// work.
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
