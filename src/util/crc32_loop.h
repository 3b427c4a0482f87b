// What the portable CRC-32 functions share: they differ in their tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "util/endian.h"

namespace microparquet::util {

// What a byte that leaves the register does to the rest of it, a bit at a time: for making tables.
constexpr std::uint32_t crc32_of_byte(std::uint32_t byte) {
  for (int bit = 0; bit < 8; ++bit) byte = (byte >> 1) ^ ((byte & 1) != 0 ? 0xEDB88320U : 0U);
  return byte;
}

// A word of input a step: it is folded into the register at once, and its four bytes leave one after another.
// `step` takes the register and lets a byte leave. Inlined even at -Os: a call for each byte would double the
// work.
template <typename Step>
[[gnu::always_inline]] inline std::uint32_t crc32_loop(std::uint32_t crc, const void* data, std::size_t bytes,
                                                       Step step) {
  const auto* at = static_cast<const std::byte*>(data);
  const std::byte* const end = at + bytes;
  const std::byte* const last_word = at + (bytes & ~static_cast<std::size_t>(3));
  crc = ~crc;
  if (at != last_word) {
    do {
      crc ^= load<std::uint32_t>(at);
      at += 4;
      crc = step(step(step(step(crc))));
    } while (at != last_word);
  }
  for (; at != end; ++at) crc = step(crc ^ static_cast<std::uint32_t>(*at));
  return ~crc;
}

}  // namespace microparquet::util
