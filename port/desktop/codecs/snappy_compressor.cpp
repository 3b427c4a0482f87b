#include "microparquet/desktop/snappy_compressor.h"

#include <snappy-c.h>

#include <cstring>
#include <memory>

namespace microparquet::desktop {

namespace {

// The number of the page's bytes, and all of them in one literal: see the library's snappy_decompressor.cpp.
std::uint32_t store(Span<const std::byte> in, Span<std::byte> out) {
  constexpr std::uint32_t kLengthInFourBytes = 63 << 2;
  std::byte* at = out.data();
  for (std::size_t left = in.size();; left >>= 7) {
    *at++ = static_cast<std::byte>(left < 0x80 ? left : (left & 0x7F) | 0x80);
    if (left < 0x80) {
      break;
    }
  }
  *at++ = static_cast<std::byte>(kLengthInFourBytes);
  for (unsigned i = 0; i < 4; ++i) {
    *at++ = static_cast<std::byte>((in.size() - 1) >> 8 * i);
  }
  std::memcpy(at, in.data(), in.size());
  return static_cast<std::uint32_t>(at - out.data()) + static_cast<std::uint32_t>(in.size());
}

}  // namespace

std::uint32_t SnappyCompressor::compress_page(Span<const std::byte> in, Span<std::byte> out,
                                              Span<std::byte>) const {
  // libsnappy wants place for more than a page ever becomes, and a growth of a sixth would make of each page's last
  // sector padding.
  std::size_t bytes = snappy_max_compressed_length(in.size());
  const std::unique_ptr<char[]> compressed(new char[bytes]);
  if (snappy_compress(reinterpret_cast<const char*>(in.data()), in.size(), compressed.get(), &bytes) !=
          SNAPPY_OK ||
      bytes > out.size()) {
    return store(in, out);
  }
  std::memcpy(out.data(), compressed.get(), bytes);
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace microparquet::desktop
