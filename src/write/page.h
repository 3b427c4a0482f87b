// From values in a buffer to a page that can be stored.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Seals the open page of `column`, of column.row_count rows, and returns the checksum in its header.
//
//   body    the encoder ends it, and levels and values come together
//   header  stands before the body, which is summed for it
//
// Requires: row_count != 0.
std::uint32_t seal_page(detail::ColumnWriter& column, const Options& options);

// What a page adds to FooterExtension::pages_sum: so the sum of several is the same in any order, and another
// one when two have each other's place.
constexpr std::uint32_t page_sum(std::uint32_t crc, std::uint32_t first_row) {
  return crc * (2 * first_row + 1);
}

}  // namespace microparquet::write
