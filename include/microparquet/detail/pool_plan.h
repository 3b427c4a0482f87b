// Memory for a row group in the forward layout: least sizes, from schema and options.
#pragma once

#include <cstdint>

#include "microparquet/detail/math.h"

namespace microparquet::detail {

// Returns the least region of a column whose pages have `page_bytes` bytes, `header_bytes` of them for the
// header, and `rows` rows: space for a value, if all of them have the same width; otherwise, with 0 rows, for a
// page, since a byte array that fits in one page must fit in each row group.
constexpr std::uint32_t least_region(std::uint32_t page_bytes, std::uint32_t header_bytes,
                                     std::uint32_t rows) {
  return rows == 0 ? page_bytes : round_up(header_bytes + (page_bytes - header_bytes) / rows + 1, 8);
}

}  // namespace microparquet::detail
