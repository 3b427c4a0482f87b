// Sizes of values in PLAIN (Encodings.md), as far as they are known in advance; src/encoding writes and reads
// them.
#pragma once

#include <cstdint>

#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/schema.h"

namespace microparquet::encoding {

// Returns the bytes of a value in memory; a boolean counts as a byte, although it takes a bit. 0: byte
// arrays, each of which has its own length.
constexpr std::uint32_t plain_width(Type type, std::uint32_t type_length) {
  return value_bytes(type, type_length);
}

// Returns the most values that `bytes` bytes can hold. Values of one width fill them exactly.
constexpr std::uint32_t most_plain_values(Type type, std::uint32_t width, std::uint32_t bytes) {
  if (type == Type::kBoolean) return bytes * 8;
  if (type == Type::kByteArray) return bytes / kLengthBytes;
  return bytes / (width != 0 ? width : 1);
}

// Returns the fewest bytes that `count` values take.
constexpr std::uint64_t least_plain_bytes(Type type, std::uint32_t width, std::uint32_t count) {
  if (type == Type::kBoolean) return (std::uint64_t{count} + 7) / 8;
  return std::uint64_t{count} * (width != 0 ? width : kLengthBytes);
}

// Returns the assumed size of a value before there has been one.
constexpr std::uint32_t usual_plain_bytes(std::uint32_t width) {
  constexpr std::uint32_t kUsualString = 20;
  return width != 0 ? width : kLengthBytes + kUsualString;
}

}  // namespace microparquet::encoding
