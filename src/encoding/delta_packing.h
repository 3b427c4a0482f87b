// Packed differences of DELTA_BINARY_PACKED: miniblocks of 32 values, each at the smallest width for all of
// them.
//
// `values` have 4 or 8 bytes and are aligned; the value before the first one lies directly before them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet::encoding {

inline constexpr std::uint32_t kMiniblock = 32;

// Stands for a number above or equal to this one: it is stored unpacked.
inline constexpr std::uint32_t kWide = 0xFFFFFFFF;

// Returns the number if it can be packed, else kWide.
constexpr std::uint32_t narrow(std::uint64_t number) {
  return number < kWide ? static_cast<std::uint32_t>(number) : kWide;
}

// Returns the width of packed numbers up to `most`.
inline std::uint32_t bits_of(std::uint32_t most) {
  return 32 -
         (most != 0 ? static_cast<std::uint32_t>(__builtin_clz(most)) : 32);  // one instruction on some cores
}

// Differences between consecutive values, which wrap at the values' width.
struct Steps {
  std::uint64_t least;  // least difference, as a signed number
  std::uint32_t range;  // largest difference above `least`, or kWide
};
void find_steps32(const std::byte* values, std::uint32_t count, Steps& steps);
void find_steps64(const std::byte* values, std::uint32_t count, Steps& steps);

// Packs the differences of `count` words, `stride` bytes apart, less the least one, and fills the miniblock
// with zeros. Requires: 0 < width <= 32.
void pack_steps(std::byte* to, std::uint32_t width, const std::byte* values, std::uint32_t stride,
                std::uint32_t count, std::uint32_t least);

// Stores the differences of values of 8 bytes at 64 bits.
void store_steps(std::byte* to, const std::byte* values, std::uint32_t count, std::uint64_t least);

// Adds `more` to the numbers of a packed miniblock, which may become wider. Requires: more > 0, and `to` does
// not lie before `from`; they may overlap.
void repack(std::byte* to, std::uint32_t to_width, const std::byte* from, std::uint32_t from_width,
            std::uint32_t more);

}  // namespace microparquet::encoding
