// Blocks of a split-block bloom filter (BloomFilter.md): a value sets one bit in each of the eight words of
// one block.
#pragma once

#include <cstdint>

namespace microparquet::format {

inline constexpr std::uint32_t kBloomBlockBytes = 32;
inline constexpr std::uint32_t kBloomSalts[] = {0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D,
                                                0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31};

// Returns the bit of a value in the word with this salt.
constexpr std::uint32_t bloom_bit(std::uint64_t hash, std::uint32_t salt) {
  return std::uint32_t{1} << (static_cast<std::uint32_t>(hash) * salt >> 27);
}

}  // namespace microparquet::format
