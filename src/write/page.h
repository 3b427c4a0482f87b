// From values in a buffer to a page that can be stored.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Ends the open page of `column`, which holds `rows` rows: its statistics are taken, its levels and values
// come together, and its header stands before them. The page is column.sealed until it is stored.
// The checksum in its header.
// Requires: rows != 0, and no page is sealed.
std::uint32_t seal_page(detail::ColumnWriter& column, std::uint32_t rows, const Options& options);

// What a page adds to FooterExtension::pages_sum: so the sum of several is the same in any order, and another
// one when two have each other's place.
constexpr std::uint32_t page_sum(std::uint32_t crc, std::uint32_t first_row) {
  return crc * (2 * first_row + 1);
}

}  // namespace microparquet::write
