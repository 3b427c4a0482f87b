// Packed differences of DELTA_BINARY_PACKED: miniblocks of 32 values, each at the smallest width that takes all.
//
// `values` are of 4 or 8 bytes, aligned; the one that the first is compared with lies before them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet::encoding {

inline constexpr std::uint32_t kMiniblock = 32;

// A number of more than 32 bits, or the largest one of these: it is not packed, but stored as it is.
inline constexpr std::uint32_t kWide = 0xFFFFFFFF;

// As many bits of a number as are packed, or kWide.
constexpr std::uint32_t narrow(std::uint64_t number) {
  return number < kWide ? static_cast<std::uint32_t>(number) : kWide;
}

// Width of packed numbers, the largest of which is `most`.
inline std::uint32_t bits_of(std::uint32_t most) {
  return 32 -
         (most != 0 ? static_cast<std::uint32_t>(__builtin_clz(most)) : 32);  // an instruction of some cores
}

// The differences of values, by the width that they have: they wrap.
struct Steps {
  std::uint64_t least;  // as signed numbers
  std::uint32_t range;  // or kWide
};
void find_steps32(const std::byte* values, std::uint32_t count, Steps& steps);
void find_steps64(const std::byte* values, std::uint32_t count, Steps& steps);

// Packs the differences of `count` words, `stride` bytes from each other, less the least one; zeros for those
// that a miniblock has more. Requires: 0 < width <= 32.
void pack_steps(std::byte* to, std::uint32_t width, const std::byte* values, std::uint32_t stride,
                std::uint32_t count, std::uint32_t least);

// The same at 64 bits, of values of 8 bytes.
void store_steps(std::byte* to, const std::byte* values, std::uint32_t count, std::uint64_t least);

// Adds `more` to the numbers of a packed miniblock, which may become wider. Requires: more > 0, and `to` does not
// lie before `from`; they may overlap.
void repack(std::byte* to, std::uint32_t to_width, const std::byte* from, std::uint32_t from_width,
            std::uint32_t more);

}  // namespace microparquet::encoding
