// CRC-32 by two tables of 16 words, one for each half of a byte.
#include <array>

#include "base/crc32_loop.h"
#include "microparquet/crc32.h"

namespace microparquet {
namespace {

using NibbleTable = std::array<std::uint32_t, 16>;

constexpr NibbleTable make_table(unsigned shift) {
  NibbleTable table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = util::crc32_of_bits(i << shift, 8);
  return table;
}

constexpr NibbleTable kLow = make_table(0);
constexpr NibbleTable kHigh = make_table(4);

struct SmallRegister {
  [[gnu::always_inline]] static std::uint32_t shift_byte(std::uint32_t value) {
    return (value >> 8) ^ kLow[value & 15] ^ kHigh[value >> 4 & 15];
  }
  [[gnu::always_inline]] static std::uint32_t shift_word(std::uint32_t value) {
    return shift_byte(shift_byte(shift_byte(shift_byte(value))));
  }
};

}  // namespace

std::uint32_t crc32_small(std::uint32_t crc, const void* data, std::size_t bytes) {
  return util::crc32_loop<SmallRegister>(crc, data, bytes);
}

}  // namespace microparquet
