// The RLE and bit-packed hybrid of Encodings.md, read by a decoder that is written from that text.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/thrift_view.h"

namespace view {

// Decodes exactly `count` levels that end with the last byte; false when they do not.
inline bool hybrid(const std::byte* at, const std::byte* end, unsigned width, std::size_t count,
                   std::uint8_t* levels) {
  std::size_t done = 0;
  while (done < count) {
    if (at >= end) return false;
    const auto head = static_cast<std::size_t>(view::varint(at));
    if (head >> 1 == 0) return false;
    if ((head & 1) == 0) {
      if ((head >> 1) > count - done || at >= end) return false;
      for (std::size_t i = 0; i < head >> 1; ++i) levels[done++] = static_cast<std::uint8_t>(*at);
      ++at;
      continue;
    }
    for (std::size_t bit = 0; bit < (head >> 1) * 8 * width; bit += width) {
      unsigned level = 0;
      for (unsigned i = 0; i < width; ++i) {
        level |= (static_cast<unsigned>(at[(bit + i) / 8]) >> (bit + i) % 8 & 1U) << i;
      }
      if (done < count) {
        levels[done++] = static_cast<std::uint8_t>(level);
      } else if (level != 0 || bit % (8 * width) == 0) {
        return false;  // padding is zero, and no whole group
      }
    }
    at += (head >> 1) * width;
  }
  return at == end;
}

}  // namespace view
