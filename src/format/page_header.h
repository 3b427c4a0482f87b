// PageHeader, which precedes each page (parquet.thrift), as this library writes it:
//
//   type, uncompressed_page_size, compressed_page_size, crc
//   data_page_header          num_values, encoding, definition_level_encoding, repetition_level_encoding
//   dictionary_page_header    num_values, encoding: instead, before a dictionary
//
// All fields but the two structs are of type i32, and each id is one above the last but for the second
// struct's.
//
// The format forbids padding in a page's body. A data page is therefore extended to whole sectors by its
// header. Up to 16 bytes are varints with continuation bytes of zeros, which every reader accepts. More are
// the extension field 32767 (BinaryProtocolExtensions.md), which all readers but one skip.
#pragma once

#include <cstdint>

#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/page_header_bytes.h"

namespace microparquet::format {

// PageType of parquet.thrift.
enum class PageType : std::uint8_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3, kOther = 255 };

// First byte of a header, and of each of its i32 fields.
inline constexpr unsigned kPageNumber =
    thrift::field_byte(PageHeaderField::kType, thrift::CompactType::kI32, 0);
// First bytes of its structs.
inline constexpr unsigned kDataPageStruct =
    thrift::field_byte(PageHeaderField::kDataPageHeader, thrift::CompactType::kStruct, PageHeaderField::kCrc);
inline constexpr unsigned kDictionaryPageStruct = thrift::field_byte(
    PageHeaderField::kDictionaryPageHeader, thrift::CompactType::kStruct, PageHeaderField::kCrc);

// Header of the extension's field as a word: 32767 in the long form, type binary, 08 FE FF 03.
inline constexpr std::uint32_t kPaddingField = 0x03FFFE08;
static_assert(kPaddingField == (static_cast<unsigned>(thrift::CompactType::kBinary) |
                                ((kExtensionField << 1 & 0x7F) | 0x80) << 8 |
                                ((kExtensionField << 1 >> 7 & 0x7F) | 0x80) << 16 |
                                static_cast<unsigned>(kExtensionField << 1 >> 14) << 24));
// The header continues with a length in two bytes.
inline constexpr std::uint32_t kPaddingHeader = sizeof kPaddingField + 2;
// The extension holds our tag, and zeros.
inline constexpr std::uint32_t kPaddingTag = 0x7071706D;  // "mpqp"
static_assert(kMinPadding == kPaddingHeader + sizeof kPaddingTag);

// Fields of a data page's header, in the order of the bytes.
struct PageFields {
  std::uint32_t type;
  std::uint32_t uncompressed_bytes;  // length of the body, with levels and values
  std::uint32_t stored_bytes;
  std::uint32_t crc;
  std::uint32_t levels;  // num_values, nulls included
  std::uint32_t encoding;
  union {
    std::uint32_t definition_encoding;
    std::uint32_t definition_bytes;  // length of the levels, in version 2
  };
  union {
    std::uint32_t repetition_encoding;
    std::uint32_t nulls;  // number of nulls, in version 2
  };
};

}  // namespace microparquet::format
