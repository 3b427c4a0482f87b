// Unpacking many numbers at once, on desktops, which have space for a function for each width.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet::encoding {

// Numbers that are unpacked at once. They take whole words: `kUnpacked / 8 * width` bytes.
inline constexpr std::uint32_t kUnpacked = 32;

// Unpacks kUnpacked numbers of `width` bits, one after another from the lowest bit on. Requires: width <= 32.
void unpack(const std::byte* from, unsigned width, std::uint32_t* numbers);

}  // namespace microparquet::encoding
