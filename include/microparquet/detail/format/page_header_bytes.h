// Lengths of page headers (parquet.thrift, PageHeader), by which schemas are planned; src/format writes them.
#pragma once

#include <cstdint>

#include "microparquet/detail/math.h"

namespace microparquet::format {

// Returns the length of a data page's header that is not lengthened: fifteen bytes of field headers and
// constants, five of CRC, and varints, zigzag, of the body's size before and after compression, and of the
// number of values.
constexpr std::uint32_t page_header_bytes(std::uint32_t body, std::uint32_t values) {
  return 20 + 2 * detail::varint_bytes(body * 2) + detail::varint_bytes(values * 2);
}

// Longest headers of any data page, and of any dictionary page.
inline constexpr std::uint32_t kMostPageHeader = 36;
inline constexpr std::uint32_t kMostDictionaryPageHeader = 32;

// Shortest extension of a header.
inline constexpr std::uint32_t kMinPadding = 10;

}  // namespace microparquet::format
