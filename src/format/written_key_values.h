// Key-values in the form of key_value_writer.h, found in a file by the library that wrote it, a few bytes at
// a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/format/fields.h"

namespace microparquet::format {

// Reads a varint of at most `end - used` bytes from `bytes[used]` on; `used` moves past it.
[[gnu::always_inline]] inline std::uint32_t take_varint(const std::byte* bytes, std::uint32_t& used,
                                                        std::uint32_t end) {
  std::uint32_t value = 0;
  for (unsigned shift = 0; used < end; shift += 7) {
    const auto byte = std::to_integer<std::uint32_t>(bytes[used++]);
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// Longest beginning of a key or value: its field and its length.
inline constexpr std::uint32_t kTextHead = 1 + 5;
static_assert(KeyValueField::kValue == KeyValueField::kKey + 1, "so their fields begin alike");
inline constexpr std::byte kTextField{
    thrift::field_byte(KeyValueField::kKey, thrift::CompactType::kBinary, 0)};

// Stop byte of a KeyValue.
inline constexpr std::uint32_t kKeyValueStop = 1;

// Longest header of the list.
inline constexpr std::uint32_t kMostKeyValuesHeader = 2 + 5;
// Reads the list's header and returns its length; the list has `count` elements.
[[gnu::always_inline]] inline std::uint32_t read_key_values_header(const std::byte* header,
                                                                   std::uint32_t& count) {
  constexpr std::uint32_t kLong = 15;  // the number follows
  std::uint32_t used = 2;
  count = std::to_integer<std::uint32_t>(header[1]) >> 4;
  if (count == kLong) count = take_varint(header, used, kMostKeyValuesHeader);
  return used;
}

}  // namespace microparquet::format
