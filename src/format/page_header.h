// PageHeader, which stands before each page (parquet.thrift), as this library writes it:
//
//   type, uncompressed_page_size, compressed_page_size, crc
//   data_page_header          num_values, encoding, definition_level_encoding, repetition_level_encoding
//   dictionary_page_header    num_values, encoding: instead, before a dictionary
//
// All fields but the two structs are of type i32, and each id is one above the last but for the second
// struct's.
//
// The format forbids padding in a page's body, so a data page becomes whole sectors through its header: by
// varints with continuation bytes that carry nothing, up to 16 bytes in all, which every reader takes; beyond
// that by the extension field 32767 (BinaryProtocolExtensions.md), which all but one skip.
#pragma once

#include <cstdint>

#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/page_header_bytes.h"

namespace microparquet::format {

// parquet.thrift's PageType.
enum class PageType : std::uint8_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3, kOther = 255 };

// What a header, and each of its i32 fields, begins with,
inline constexpr unsigned kPageNumber =
    thrift::field_byte(PageHeaderField::kType, thrift::CompactType::kI32, 0);
// and its structs.
inline constexpr unsigned kDataPageStruct =
    thrift::field_byte(PageHeaderField::kDataPageHeader, thrift::CompactType::kStruct, PageHeaderField::kCrc);
inline constexpr unsigned kDictionaryPageStruct = thrift::field_byte(
    PageHeaderField::kDictionaryPageHeader, thrift::CompactType::kStruct, PageHeaderField::kCrc);

// The extension, in its field's header as a word: 32767 in the long form, type binary, 08 FE FF 03,
inline constexpr std::uint32_t kPaddingField = 0x03FFFE08;
static_assert(kPaddingField == (static_cast<unsigned>(thrift::CompactType::kBinary) |
                                ((kExtensionField << 1 & 0x7F) | 0x80) << 8 |
                                ((kExtensionField << 1 >> 7 & 0x7F) | 0x80) << 16 |
                                static_cast<unsigned>(kExtensionField << 1 >> 14) << 24));
// with a length in two bytes,
inline constexpr std::uint32_t kPaddingHeader = sizeof kPaddingField + 2;
// our tag, and zeros.
inline constexpr std::uint32_t kPaddingTag = 0x7071706D;  // "mpqp"
static_assert(kMinPadding == kPaddingHeader + sizeof kPaddingTag);

// What the header of a data page says, in the order of its fields.
struct PageFields {
  std::uint32_t type;
  std::uint32_t uncompressed_bytes;  // of the body, levels and values
  std::uint32_t stored_bytes;
  std::uint32_t crc;
  std::uint32_t levels;  // num_values: nulls count
  std::uint32_t encoding;
  union {
    std::uint32_t definition_encoding;
    std::uint32_t definition_bytes;  // of version 2
  };
  union {
    std::uint32_t repetition_encoding;
    std::uint32_t nulls;  // of version 2
  };
};

}  // namespace microparquet::format
