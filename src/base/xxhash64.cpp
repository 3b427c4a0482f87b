#include "base/xxhash64.h"

#include "base/endian.h"

namespace microparquet::util {

namespace {

constexpr std::uint64_t kPrimes[] = {0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                                     0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5};

constexpr std::uint64_t rotate_left(std::uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

constexpr std::uint64_t take_word(std::uint64_t lane, std::uint64_t word) {
  return rotate_left(lane + word * kPrimes[1], 31) * kPrimes[0];
}

// Hashes 32 bytes a step in four lanes, a word each.
std::uint64_t hash_stripes(const std::byte*& next, std::size_t& left) {
  std::uint64_t lanes[] = {kPrimes[0] + kPrimes[1], kPrimes[1], 0, 0 - kPrimes[0]};
  for (; left >= 32; left -= 32) {
    for (std::uint64_t& lane : lanes) {
      lane = take_word(lane, load<std::uint64_t>(next));
      next += 8;
    }
  }
  std::uint64_t hash = rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) + rotate_left(lanes[2], 12) +
                       rotate_left(lanes[3], 18);
  for (const std::uint64_t lane : lanes) hash = (hash ^ take_word(0, lane)) * kPrimes[0] + kPrimes[3];
  return hash;
}

}  // namespace

std::uint64_t xxhash64(Span<const std::byte> bytes) {
  const std::byte* next = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t hash = left >= 32 ? hash_stripes(next, left) : kPrimes[4];
  hash += bytes.size();
  for (; left >= 8; left -= 8, next += 8)
    hash = rotate_left(hash ^ take_word(0, load<std::uint64_t>(next)), 27) * kPrimes[0] + kPrimes[3];
  for (; left >= 4; left -= 4, next += 4)
    hash = rotate_left(hash ^ load<std::uint32_t>(next) * kPrimes[0], 23) * kPrimes[1] + kPrimes[2];
  for (; left != 0; --left, ++next)
    hash = rotate_left(hash ^ static_cast<std::uint64_t>(*next) * kPrimes[4], 11) * kPrimes[0];
  hash = (hash ^ hash >> 33) * kPrimes[1];
  hash = (hash ^ hash >> 29) * kPrimes[2];
  return hash ^ hash >> 32;
}

}  // namespace microparquet::util
