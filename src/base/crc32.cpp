// CRC-32 by a table of 128 words, seven bits at a time. A table for whole bytes takes twice the flash and
// four lookups a word instead of five. Tables for a word at once (4 KB) are faster on desktops, which have
// better ways.
#include "microparquet/crc32.h"

#include <array>

#include "base/crc32_loop.h"

namespace microparquet {
namespace {

constexpr int kBits = 7;

using CrcTable = std::array<std::uint32_t, 1 << kBits>;

constexpr CrcTable make_table() {
  CrcTable table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = util::crc32_of_bits(i, kBits);
  return table;
}

constexpr CrcTable kTable = make_table();

struct Register {
  // Shifts out the lowest bits. Fewer than seven act as seven whose lowest bits are zeros. The empty
  // instruction keeps the compiler from shifting before it masks, which makes the shift a part of the load.
  template <int kCount>
  [[gnu::always_inline]] static std::uint32_t shift(std::uint32_t value) {
    std::uint32_t index = value & ((1U << kCount) - 1);
    asm("" : "+r"(index));
    return (value >> kCount) ^ kTable[index << (kBits - kCount)];
  }
  [[gnu::always_inline]] static std::uint32_t shift_byte(std::uint32_t value) {
    return shift<6>(shift<2>(value));
  }
  [[gnu::always_inline]] static std::uint32_t shift_word(std::uint32_t value) {
    return shift<6>(shift<6>(shift<6>(shift<7>(shift<7>(value)))));
  }
};

}  // namespace

std::uint32_t crc32_portable(std::uint32_t crc, const void* data, std::size_t bytes) {
  return util::crc32_loop<Register>(crc, data, bytes);
}

}  // namespace microparquet
