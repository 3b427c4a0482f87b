// Packed numbers, whose widths are bits instead of whole bytes.
#pragma once

#include <cstdint>

namespace microparquet::encoding {

// Returns how many numbers of `width` bits lie in `bytes` bytes after the first `bit` bits. The result is
// capped, which keeps it in 32 bits. Requires: 0 < width.
constexpr std::uint32_t packed_values(std::uint32_t bytes, std::uint32_t bit, std::uint32_t width) {
  constexpr std::uint32_t kEnough = 1U << 28;
  return ((bytes < kEnough ? bytes : kEnough) * 8 - bit) / width;
}

}  // namespace microparquet::encoding
