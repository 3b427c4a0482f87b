// Numbers that are packed, one after another, in fewer bits than whole bytes.
#pragma once

#include <cstdint>

namespace microparquet::encoding {

// How many numbers of `width` bits `bytes` bytes have after the first `bit` bits: of very many bytes not all, so
// that 32 bits are enough. Requires: 0 < width.
constexpr std::uint32_t packed_values(std::uint32_t bytes, std::uint32_t bit, std::uint32_t width) {
  constexpr std::uint32_t kEnough = 1U << 28;
  return ((bytes < kEnough ? bytes : kEnough) * 8 - bit) / width;
}

}  // namespace microparquet::encoding
