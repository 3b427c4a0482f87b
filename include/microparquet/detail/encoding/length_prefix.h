// Lengths in a page, little-endian: before each byte array in PLAIN, and before runs of levels and of booleans.
#pragma once

#include <cstdint>

namespace microparquet::encoding {

inline constexpr std::uint32_t kLengthBytes = 4;

}  // namespace microparquet::encoding
