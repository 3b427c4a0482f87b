// CRC-32 by a table of 256 words. Tables for four bytes at once (4 KB) would be faster on desktops, which
// have better ways, and are too large for the devices this is meant for.
#include "microparquet/crc32.h"

#include <array>

#include "util/crc32_loop.h"

namespace microparquet {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = util::crc32_of_byte(i);
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

}  // namespace

std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t bytes) {
  const auto step = [](std::uint32_t value)
                        __attribute__((always_inline)) { return (value >> 8) ^ kTable[value & 0xFF]; };
  return util::crc32_loop(crc, data, bytes, step);
}

}  // namespace microparquet
