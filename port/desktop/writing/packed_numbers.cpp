#include "packed_numbers.h"

#include <algorithm>
#include <array>

namespace microparquet::desktop {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kMiniblockValues = 32;
constexpr std::size_t kMiniblocks = 4;
constexpr std::size_t kBlockValues = kMiniblocks * kMiniblockValues;

using Differences = std::array<std::uint32_t, kBlockValues>;

void append_varint(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<std::byte>(value | 0x80));
  }
  out.push_back(static_cast<std::byte>(value));
}

void append_zigzag(Bytes& out, std::uint32_t value) {
  append_varint(out, value << 1 ^ (value >> 31 != 0 ? 0xFFFFFFFF : 0));
}

unsigned bits_of(std::uint32_t value) {
  unsigned bits = 0;
  for (; value != 0; value >>= 1) {
    ++bits;
  }
  return bits;
}

// The least significant bits first.
void append_bits(Bytes& out, const std::uint32_t* values, unsigned width) {
  std::uint64_t waiting = 0;
  unsigned bits = 0;
  for (std::size_t i = 0; i < kMiniblockValues; ++i) {
    waiting |= std::uint64_t{values[i]} << bits;
    for (bits += width; bits >= 8; bits -= 8, waiting >>= 8) {
      out.push_back(static_cast<std::byte>(waiting));
    }
  }
}

// `count` differences, from 1 on; those after them fill the last miniblock up, and become zeros.
void append_block(Bytes& out, Differences& block, std::size_t count) {
  const auto is_less = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  };
  const std::uint32_t least = *std::min_element(block.begin(), block.begin() + count, is_less);
  for (std::size_t i = 0; i < kBlockValues; ++i) {
    block[i] = i < count ? block[i] - least : 0;
  }
  append_zigzag(out, least);
  std::array<unsigned, kMiniblocks> widths = {};
  for (std::size_t i = 0; i < kMiniblocks; ++i) {
    const std::uint32_t* const values = block.data() + i * kMiniblockValues;
    widths[i] = bits_of(*std::max_element(values, values + kMiniblockValues));
    out.push_back(static_cast<std::byte>(widths[i]));
  }
  for (std::size_t i = 0; i < kMiniblocks && i * kMiniblockValues < count; ++i) {
    append_bits(out, block.data() + i * kMiniblockValues, widths[i]);
  }
}

}  // namespace

void append_packed(Bytes& out, const std::vector<std::uint32_t>& numbers) {
  append_varint(out, kBlockValues);
  append_varint(out, kMiniblocks);
  append_varint(out, numbers.size());
  append_zigzag(out, numbers.empty() ? 0 : numbers.front());
  for (std::size_t first = 1; first < numbers.size(); first += kBlockValues) {
    Differences block = {};
    const std::size_t count = std::min(kBlockValues, numbers.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      block[i] = numbers[first + i] - numbers[first + i - 1];
    }
    append_block(out, block, count);
  }
}

}  // namespace microparquet::desktop
