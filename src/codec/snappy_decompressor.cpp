// Snappy's raw format: a varint, bytes of the page; then elements, told apart by the low bits of their tag:
//
//   0   bytes as they are: their number less one in the rest of the tag, or in the 1 to 4 bytes after it
//   1   4 to 11 bytes copied: 3 bits of their number, 3 of the distance, which has a byte more
//   2   bytes copied: their number less one in the rest of the tag, the distance in two bytes
//   3   the same, the distance in four
#include "microparquet/codecs.h"

#include "codec/copies.h"

namespace microparquet {
namespace {

using codec::Copies;

bool take_size(Copies& page, std::uint32_t& size) {
  size = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    std::uint32_t byte = 0;
    if (!page.take(byte) || (shift == 28 && byte > 15)) return false;
    size |= (byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool literal(Copies& page, std::uint32_t length) {
  constexpr std::uint32_t kInBytes = 60;
  if (length >= kInBytes && !page.take_number(length - kInBytes + 1, length)) return false;
  return length != 0xFFFFFFFF && page.literal(std::size_t{length} + 1);
}

bool element(Copies& page) {
  std::uint32_t tag = 0;
  std::uint32_t distance = 0;
  if (!page.take(tag)) return false;
  const std::uint32_t rest = tag >> 2;
  switch (tag & 3) {
    case 0: return literal(page, rest);
    case 1: return page.take_number(1, distance) && page.copy(distance | tag >> 5 << 8, (rest & 7) + 4);
    case 2: return page.take_number(2, distance) && page.copy(distance, rest + 1);
    default: return page.take_number(4, distance) && page.copy(distance, rest + 1);
  }
}

}  // namespace

Status SnappyDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  Copies page(in, out);
  std::uint32_t size = 0;
  if (!take_size(page, size) || size != out.size()) return Status::kCorrupt;
  while (page.input_left()) {
    if (!element(page)) return Status::kCorrupt;
  }
  return page.full() ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet
