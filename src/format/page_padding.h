// Extension that lengthens the header of a data page.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/endian.h"
#include "format/page_header.h"

namespace microparquet::format {

// Most bytes by which varints lengthen a header.
inline constexpr std::uint32_t kMaxByVarints = 16;
static_assert(kMaxByVarints + 1 >= kMinPadding);

// Puts an extension of `bytes` bytes, its field header included. Requires: at least kMinPadding, and a length
// below 2^14.
template <typename Sink>
void put_padding(Sink& sink, std::uint32_t bytes) {
  const std::uint32_t length = bytes - kPaddingHeader;
  sink.put(&kPaddingField, sizeof kPaddingField);
  sink.put_byte((length & 0x7F) | 0x80);
  sink.put_byte(length >> 7);
  sink.put(&kPaddingTag, sizeof kPaddingTag);
  sink.put_zeros(bytes - kMinPadding);
}

// Sink for bytes in memory.
struct MemorySink {
  std::byte* at;

  void put_byte(unsigned value) { *at++ = static_cast<std::byte>(value); }
  void put(const std::uint32_t* word, std::size_t) {
    util::store(at, *word);
    at += sizeof *word;
  }
  void put_zeros(std::uint32_t bytes) {
    util::clear_bytes(at, bytes);
    at += bytes;
  }
};

// Returns the length of an extension at `at` in a written header; 0: there is none. Pages of whole sectors
// may have one.
inline std::uint32_t padding_at(const std::byte* at) {
  if (*at == std::byte{0}) return 0;
  constexpr auto kLength = sizeof kPaddingField;
  const std::uint32_t low = std::to_integer<std::uint32_t>(at[kLength]) & 0x7F;
  return kPaddingHeader + (low | std::to_integer<std::uint32_t>(at[kLength + 1]) << 7);
}

}  // namespace microparquet::format
