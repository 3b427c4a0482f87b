// Memory for a row group in the forward layout: regions of its columns, from schema and options.
#pragma once

#include <cstdint>

#include "microparquet/detail/math.h"

namespace microparquet::detail {

// Bytes a row are counted in 16ths.
inline constexpr std::uint32_t kRowParts = 16;

// Returns the bytes that a row takes of a page of `page_bytes` bytes that holds `rows`, its share of the header
// included.
constexpr std::uint32_t row_share(std::uint32_t page_bytes, std::uint32_t rows) {
  return page_bytes * kRowParts / rows;
}

// Returns the region for `rows` rows that take `row_bytes` bytes each: there is space for one header more than
// their share, for that of a page which is not full. Requires: less than 256 MiB.
constexpr std::uint32_t region_bytes(std::uint32_t header_bytes, std::uint32_t rows,
                                     std::uint32_t row_bytes) {
  return round_up(header_bytes + (rows * row_bytes + kRowParts - 1) / kRowParts, 8);
}

// Returns the least region of a column whose pages have `page_bytes` bytes, `header_bytes` of them for the
// header, and `rows` rows: space for a value, if all of them have the same width; otherwise, with 0 rows, for a
// page, since a byte array that fits in one page must fit in each row group.
constexpr std::uint32_t least_region(std::uint32_t page_bytes, std::uint32_t header_bytes,
                                     std::uint32_t rows) {
  return rows == 0 ? page_bytes : region_bytes(header_bytes, 1, row_share(page_bytes, rows));
}

}  // namespace microparquet::detail
