// Writes page headers, and lengthens those that are written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/endian.h"
#include "format/page_header.h"
#include "io/window_sink.h"
#include "microparquet/detail/math.h"

namespace microparquet::format {

// An extension of `bytes` bytes, its field header included. Requires: kMinPadding at least, and a length of
// less than 2^14.
template <typename Sink>
void put_padding(Sink& sink, std::uint32_t bytes) {
  const std::uint32_t length = bytes - kPaddingHeader;
  sink.put(&kPaddingField, sizeof kPaddingField);
  sink.put_byte((length & 0x7F) | 0x80);
  sink.put_byte(length >> 7);
  sink.put(&kPaddingTag, sizeof kPaddingTag);
  sink.put_zeros(bytes - kMinPadding);
}

// What the header of a data page says, in the order of its fields.
struct PageFields {
  std::uint32_t type;
  std::uint32_t uncompressed_bytes;  // of the body, levels and values
  std::uint32_t stored_bytes;
  std::uint32_t crc;
  std::uint32_t levels;  // num_values: nulls count
  std::uint32_t encoding;
  std::uint32_t definition_encoding;
  std::uint32_t repetition_encoding;
};

// Bytes in memory, one after another.
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

// Writes page_header_bytes(), and `padding` more. Static, so that it is inlined in its one caller and costs
// nothing there.
static inline void write_page_header(std::byte* at, const PageFields& fields, std::uint32_t padding) {
  constexpr std::uint32_t kMaxVarint = 5;
  constexpr std::uint32_t kMaxByVarints = 16;
  static_assert(kMaxByVarints + 1 >= kMinPadding);
  constexpr unsigned kCrc = 3;
  constexpr unsigned kFields = sizeof fields / sizeof fields.type;
  const std::uint32_t* const numbers = &fields.type;
  std::uint32_t left = padding > kMaxByVarints ? 0 : padding;
  MemorySink sink{at};
  for (unsigned i = 0; i < kFields; ++i) {
    if (i == kCrc + 1) sink.put_byte(kDataPageStruct);
    sink.put_byte(kPageNumber);
    std::uint32_t zigzag = detail::zigzag(numbers[i]);
    for (std::uint32_t bytes = 1; bytes < kMaxVarint; ++bytes, zigzag >>= 7) {
      // The CRC always has five, so that the header's length is known before.
      if (zigzag < 0x80 && i != kCrc) {
        if (left == 0) break;
        --left;
      }
      sink.put_byte((zigzag & 0x7F) | 0x80);
    }
    sink.put_byte(zigzag);
  }
  sink.put_byte(0);
  if (padding > kMaxByVarints) put_padding(sink, padding);
  sink.put_byte(0);
}

// A data page's header as it was written: its bytes before the extension, or its stop byte,
inline std::uint32_t bytes_before_padding(const std::byte* header) {
  constexpr unsigned kFields = sizeof(PageFields) / sizeof PageFields::type;
  constexpr unsigned kInStruct = 4;
  const std::byte* at = header;
  for (unsigned i = 0; i < kFields; ++i) {
    if (i == kFields - kInStruct) ++at;
    do {
      ++at;
    } while ((*at & std::byte{0x80}) != std::byte{0});
    ++at;
  }
  return static_cast<std::uint32_t>(at + 1 - header);
}

// and of the extension that begins there, if there is one: pages of whole sectors may have it.
inline std::uint32_t padding_at(const std::byte* at) {
  if (*at == std::byte{0}) return 0;
  constexpr auto kLength = sizeof kPaddingField;
  const std::uint32_t low = std::to_integer<std::uint32_t>(at[kLength]) & 0x7F;
  return kPaddingHeader + (low | std::to_integer<std::uint32_t>(at[kLength + 1]) << 7);
}

// By how much a data page's header is longer than it would have to be, by that extension.
inline std::uint32_t padding_in(const std::byte* header) {
  return padding_at(header + bytes_before_padding(header));
}

// What the header of a dictionary page says, in the order of its fields. It is not lengthened.
struct DictionaryPageFields {
  std::uint32_t type;
  std::uint32_t uncompressed_bytes;
  std::uint32_t stored_bytes;
  std::uint32_t crc;
  std::uint32_t values;
  std::uint32_t encoding;
};

// Writes kMostDictionaryPageHeader bytes at most; returns their end.
std::byte* write_dictionary_page_header(std::byte* at, const DictionaryPageFields& fields);

}  // namespace microparquet::format
