// CRC-32 by a table of 256 words, a word of input a step: the word is folded into the register at once and
// its four bytes are looked up one after another. Tables for four bytes at once (4 KB) would be faster and
// are too large for the devices this is meant for; a port with a CRC unit names its own function.
#include "microparquet/crc32.h"

#include <array>

#include "util/endian.h"

namespace microparquet {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0U);
    table[i] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

// Inlined even at -Os: a call for each byte would double the work.
[[gnu::always_inline]] inline std::uint32_t step(std::uint32_t crc) {
  return (crc >> 8) ^ kTable[crc & 0xFF];
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t bytes) {
  const auto* at = static_cast<const std::byte*>(data);
  const std::byte* const end = at + bytes;
  const std::byte* const last_word = at + (bytes & ~static_cast<std::size_t>(3));
  crc = ~crc;
  if (at != last_word) {
    do {
      crc ^= util::load<std::uint32_t>(at);
      at += 4;
      crc = step(step(step(step(crc))));
    } while (at != last_word);
  }
  for (; at != end; ++at) crc = step(crc ^ static_cast<std::uint32_t>(*at));
  return ~crc;
}

}  // namespace microparquet
