#include "written_file.h"

namespace written {

using microparquet::Options;
using microparquet::Span;

Span<std::byte> file_memory(int slot) {
  constexpr std::size_t kBytes = 640 << 10;
  static std::byte memory[2][kBytes];
  return Span<std::byte>(memory[slot], kBytes);
}

Span<std::byte> arena_memory() {
  constexpr std::size_t kBytes = 96 << 10;
  alignas(256) static std::byte memory[kBytes];
  return Span<std::byte>(memory, kBytes);
}

Options in_place(std::uint32_t page_bytes, std::uint32_t row_group_rows) {
  Options options;
  options.page_bytes = page_bytes;
  options.whole_sectors = page_bytes % 512 == 0;
  options.row_group_rows = row_group_rows;
  if (row_group_rows == 0) options.row_group_bytes = 16 << 10;
  return options;
}

Options forward(std::uint32_t page_bytes, std::uint32_t row_group_bytes) {
  Options options;
  options.page_bytes = page_bytes;
  options.row_group_bytes = row_group_bytes;
  options.layout = &microparquet::kForward;
  return options;
}

std::uint32_t mix(std::uint32_t a, std::uint32_t b) {
  std::uint32_t x = a * 0x9E3779B9U ^ (b + 1) * 0x85EBCA6BU;
  x ^= x >> 15;
  x *= 0x2C1B3C6DU;
  return x ^ x >> 13;
}

}  // namespace written
