// Writing page headers, and measuring the padding in written ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/desktop/page_header_v2.h"
#include "format/page_header.h"
#include "format/page_padding.h"
#include "microparquet/detail/math.h"

namespace microparquet::format {

// Writes page_header_bytes() and `padding` more bytes. It is static, since it has one caller: inlined there
// it costs nothing.
static inline void write_page_header(std::byte* at, const PageFields& fields, std::uint32_t padding) {
  if (is_v2(fields)) return write_page_header_v2(at, fields, padding);
  constexpr std::uint32_t kMaxVarint = 5;
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
      // The CRC always takes five, since the header's length must be known before.
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

// Returns how many bytes of a written data page's header come before the extension of padding_at(), or before
// its stop byte.
inline std::uint32_t bytes_before_padding(const std::byte* header) {
  if (is_v2(header)) return bytes_before_padding_v2(header);
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

// Returns the bytes by which that extension lengthens a data page's header.
inline std::uint32_t padding_in(const std::byte* header) {
  return padding_at(header + bytes_before_padding(header));
}

// Fields of a dictionary page's header, in the order of the bytes. It is not lengthened.
struct DictionaryPageFields {
  std::uint32_t type;
  std::uint32_t uncompressed_bytes;
  std::uint32_t stored_bytes;
  std::uint32_t crc;
  std::uint32_t values;
  std::uint32_t encoding;
};

// Writes at most kMostDictionaryPageHeader bytes; returns their end.
std::byte* write_dictionary_page_header(std::byte* at, const DictionaryPageFields& fields);

}  // namespace microparquet::format
