// Header of a data page of version 2 (parquet.thrift), on desktops:
//
//   type, uncompressed_page_size, compressed_page_size, crc
//   data_page_header_v2       num_values, num_nulls, num_rows, encoding, definition_levels_byte_length,
//                             repetition_levels_byte_length, is_compressed
//
// All fields but the last are of type i32. The header is lengthened as others are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/page_header.h"
#include "format/page_padding.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/math.h"

namespace microparquet::format {

inline constexpr bool kWritesV2 = detail::kDesktop;

// First byte of the struct.
inline constexpr unsigned kDataPageV2Struct = thrift::field_byte(
    PageHeaderField::kDataPageHeaderV2, thrift::CompactType::kStruct, PageHeaderField::kCrc);
// Last field of the struct, a single byte. A page is compressed if that has made it smaller.
constexpr unsigned is_compressed_byte(bool compressed) {
  return thrift::field_byte(DataPageHeaderV2Field::kIsCompressed,
                            compressed ? thrift::CompactType::kTrue : thrift::CompactType::kFalse,
                            DataPageHeaderV2Field::kRepetitionLevelsByteLength);
}
constexpr bool is_compressed(const PageFields& fields) {
  return fields.stored_bytes != fields.uncompressed_bytes;
}

inline bool is_v2(const PageFields& fields) {
  return kWritesV2 && fields.type == static_cast<std::uint32_t>(PageType::kDataV2);
}
// Returns whether a written header is of version 2.
inline bool is_v2(const std::byte* header) {
  return kWritesV2 &&
         (header[1] & std::byte{0x7F}) ==
             static_cast<std::byte>(detail::zigzag(static_cast<std::uint32_t>(PageType::kDataV2)));
}

// Returns the length of the header if it is not lengthened.
inline std::uint32_t page_header_v2_bytes(const PageFields& fields) {
  constexpr std::uint32_t kConstant = 22;
  std::uint32_t bytes = kConstant + detail::varint_bytes(fields.levels * 2);  // num_values, and num_rows
  for (const std::uint32_t number : {fields.uncompressed_bytes, fields.stored_bytes, fields.levels,
                                     fields.definition_bytes, fields.nulls}) {
    bytes += detail::varint_bytes(number * 2);
  }
  return bytes;
}

// Sink for numbers, the first of which take `padding` more bytes.
struct NumberSink : MemorySink {
  std::uint32_t padding;

  void put_number(std::uint32_t number, std::uint32_t bytes = 0) {
    constexpr std::uint32_t kMaxVarint = 5;
    std::uint32_t zigzag = detail::zigzag(number);
    if (bytes == 0) bytes = detail::varint_bytes(zigzag);
    const std::uint32_t more = kMaxVarint - bytes < padding ? kMaxVarint - bytes : padding;
    padding -= more;
    put_byte(kPageNumber);
    for (bytes += more; bytes > 1; --bytes, zigzag >>= 7) put_byte((zigzag & 0x7F) | 0x80);
    put_byte(zigzag);
  }
};

// Writes page_header_v2_bytes() and `padding` more bytes.
inline void write_page_header_v2(std::byte* at, const PageFields& fields, std::uint32_t padding) {
  constexpr std::uint32_t kCrcBytes = 5;  // fixed, since the header's length must be known before
  NumberSink sink{{at}, padding > kMaxByVarints ? 0 : padding};
  sink.put_number(fields.type);
  sink.put_number(fields.uncompressed_bytes);
  sink.put_number(fields.stored_bytes);
  sink.put_number(fields.crc, kCrcBytes);
  sink.put_byte(kDataPageV2Struct);
  sink.put_number(fields.levels);
  sink.put_number(fields.nulls);
  sink.put_number(fields.levels);  // as many rows: arrays have pages of version 1
  sink.put_number(fields.encoding);
  sink.put_number(fields.definition_bytes);
  sink.put_number(0);
  sink.put_byte(is_compressed_byte(is_compressed(fields)));
  sink.put_byte(0);
  if (padding > kMaxByVarints) put_padding(sink, padding);
  sink.put_byte(0);
}

// Works as bytes_before_padding().
inline std::uint32_t bytes_before_padding_v2(const std::byte* header) {
  constexpr unsigned kNumbersOfHeader = 10;
  constexpr unsigned kBeforeStruct = 4;
  const std::byte* at = header;
  for (unsigned i = 0; i < kNumbersOfHeader; ++i) {
    if (i == kBeforeStruct) ++at;
    do {
      ++at;
    } while ((*at & std::byte{0x80}) != std::byte{0});
    ++at;
  }
  return static_cast<std::uint32_t>(at + 2 - header);  // counts is_compressed, and the end of the struct
}

}  // namespace microparquet::format
