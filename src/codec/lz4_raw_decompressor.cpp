// LZ4's block format, a list of sequences:
//
//   token      literals << 4 | copied bytes - 4; 15: bytes of more follow, to the first that is not 255
//   literals
//   distance   two bytes, little-endian; not in the last sequence
#include "microparquet/codecs.h"

#include <limits>

#include "codec/copies.h"

namespace microparquet {
namespace {

using codec::Copies;

// Takes a length whose first part is in the token.
bool take_length(Copies& page, std::uint32_t first, std::size_t& length) {
  constexpr std::uint32_t kMore = 15;
  constexpr std::uint32_t kEvenMore = 255;
  length = first;
  if (first != kMore) return true;
  std::uint32_t byte = kEvenMore;
  while (byte == kEvenMore) {
    if (!page.take(byte) || length > std::numeric_limits<std::size_t>::max() - byte) return false;
    length += byte;
  }
  return true;
}

bool sequence(Copies& page) {
  constexpr std::size_t kShortestCopy = 4;
  std::uint32_t token = 0;
  std::uint32_t distance = 0;
  std::size_t length = 0;
  if (!page.take(token) || !take_length(page, token >> 4, length) || !page.literal(length)) return false;
  if (!page.input_left()) return true;
  if (!page.take_number(2, distance) || !take_length(page, token & 15, length)) return false;
  if (length > std::numeric_limits<std::size_t>::max() - kShortestCopy) return false;
  return page.copy(distance, length + kShortestCopy);
}

}  // namespace

Status Lz4RawDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  Copies page(in, out);
  while (page.input_left()) {
    if (!sequence(page)) return Status::kCorrupt;
  }
  return page.full() ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet
