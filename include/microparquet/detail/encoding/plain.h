// What values take in PLAIN (Encodings.md), as far as it is known before the first of them; src/encoding writes
// and reads them.
#pragma once

#include <cstdint>

#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/schema.h"

namespace microparquet::encoding {

// Bytes of a value, as in memory; a boolean counts as a byte, of which it takes a bit. 0: byte arrays, each of
// which has its own length.
constexpr std::uint32_t plain_width(Type type, std::uint32_t type_length) {
  return value_bytes(type, type_length);
}

// The most values that `bytes` bytes can be. Where all values have one width, that many fill them.
constexpr std::uint32_t most_plain_values(Type type, std::uint32_t width, std::uint32_t bytes) {
  if (type == Type::kBoolean) return bytes * 8;
  if (type == Type::kByteArray) return bytes / kLengthBytes;
  return bytes / (width != 0 ? width : 1);
}

// The least bytes that `count` values take.
constexpr std::uint64_t least_plain_bytes(Type type, std::uint32_t width, std::uint32_t count) {
  if (type == Type::kBoolean) return (std::uint64_t{count} + 7) / 8;
  return std::uint64_t{count} * (width != 0 ? width : kLengthBytes);
}

// What a value is taken to need before there has been one.
constexpr std::uint32_t usual_plain_bytes(std::uint32_t width) {
  constexpr std::uint32_t kUsualString = 20;
  return width != 0 ? width : kLengthBytes + kUsualString;
}

}  // namespace microparquet::encoding
