#include "bloom_filter_bits.h"

#include <cmath>
#include <cstring>

#include "base/xxhash64.h"
#include "format/bloom_filter_block.h"
#include "microparquet/desktop/full_index.h"

namespace microparquet::desktop {

// As of a plain bloom filter of eight bits a value: the share of wrong answers is (1 - e^(-8 n / m))^8.
std::uint32_t bloom_filter_bytes(std::uint64_t distinct, double wrong) {
  constexpr std::uint32_t kLeast = 32;
  constexpr std::uint32_t kMost = 128 << 20;
  constexpr double kBitsOfValue = 8;
  const double bits =
      -kBitsOfValue * static_cast<double>(distinct) / std::log(1 - std::pow(wrong, 1 / kBitsOfValue));
  std::uint32_t bytes = kLeast;
  while (bytes < kMost && bytes * 8.0 < bits) {
    bytes *= 2;
  }
  return bytes;
}

void add_to_filter(Span<std::byte> filter, Span<const std::byte> value) {
  const std::uint64_t hash = util::xxhash64(value);
  const std::size_t blocks = filter.size() / format::kBloomBlockBytes;
  std::byte* word = filter.data() + ((hash >> 32) * blocks >> 32) * format::kBloomBlockBytes;
  for (const std::uint32_t salt : format::kBloomSalts) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, word, sizeof bits);
    bits |= format::bloom_bit(hash, salt);
    std::memcpy(word, &bits, sizeof bits);
    word += sizeof bits;
  }
}

}  // namespace microparquet::desktop
