// How long the headers of pages are (parquet.thrift, PageHeader), as far as a schema has to be planned by it;
// src/format writes them.
#pragma once

#include <cstdint>

#include "microparquet/detail/math.h"

namespace microparquet::format {

// Of a data page whose header is not lengthened: fifteen bytes of field headers and constants, five of CRC,
// and varints, zigzag, of the body's size before and after compression, and of the number of values.
constexpr std::uint32_t page_header_bytes(std::uint32_t body, std::uint32_t values) {
  return 20 + 2 * detail::varint_bytes(body * 2) + detail::varint_bytes(values * 2);
}

// Of any data page, and of any dictionary page, at most.
inline constexpr std::uint32_t kMostPageHeader = 36;
inline constexpr std::uint32_t kMostDictionaryPageHeader = 32;

// What an extension of a header adds to it at least.
inline constexpr std::uint32_t kMinPadding = 10;

}  // namespace microparquet::format
