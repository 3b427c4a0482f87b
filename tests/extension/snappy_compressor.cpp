#include "snappy_compressor.h"

#include <cstring>

namespace extension {
namespace {

constexpr std::size_t kDistance = 8;
constexpr std::size_t kLeastCopy = 8;
constexpr std::size_t kMostCopy = 64;
constexpr std::size_t kMostLiteral = 65'536;

std::byte* put(std::byte* at, std::size_t value) {
  *at = static_cast<std::byte>(value & 0xFF);
  return at + 1;
}

std::byte* put_literals(std::byte* at, const std::byte* from, std::size_t bytes) {
  while (bytes != 0) {
    const std::size_t part = bytes < kMostLiteral ? bytes : kMostLiteral;
    if (part <= 60) {
      at = put(at, (part - 1) << 2);
    } else {
      at = put(at, 61 << 2);
      at = put(at, part - 1);
      at = put(at, (part - 1) >> 8);
    }
    std::memcpy(at, from, part);
    at += part;
    from += part;
    bytes -= part;
  }
  return at;
}

std::byte* put_copies(std::byte* at, std::size_t bytes) {
  while (bytes != 0) {
    const std::size_t part = bytes < kMostCopy ? bytes : kMostCopy;
    at = put(at, (part - 1) << 2 | 2);
    at = put(at, kDistance);
    at = put(at, 0);
    bytes -= part;
  }
  return at;
}

// Number of bytes from `at` on that repeat those before them.
std::size_t repeated(mpq::Span<const std::byte> in, std::size_t at) {
  std::size_t bytes = 0;
  if (at < kDistance) return 0;
  while (at + bytes < in.size() && in[at + bytes] == in[at + bytes - kDistance]) ++bytes;
  return bytes;
}

}  // namespace

std::uint32_t SnappyCompressor::compress_page(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
                                              mpq::Span<std::byte> /*scratch*/) const {
  std::byte* at = out.data();
  std::size_t left = in.size();
  for (; left >= 0x80; left >>= 7) at = put(at, left | 0x80);
  at = put(at, left);
  std::size_t literal = 0;  // where the open one begins
  for (std::size_t i = 0; i < in.size();) {
    const std::size_t bytes = repeated(in, i);
    if (bytes < kLeastCopy) {
      ++i;
      continue;
    }
    at = put_literals(at, in.data() + literal, i - literal);
    at = put_copies(at, bytes);
    i += bytes;
    literal = i;
  }
  at = put_literals(at, in.data() + literal, in.size() - literal);
  return static_cast<std::uint32_t>(at - out.data());
}

}  // namespace extension
