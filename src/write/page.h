// Sealing and storing pages. A page is sealed in three stages:
//
//   body       the encoder ends it, and levels and values come together
//   transform  it is compressed, where its column names a compressor (page_transform.cpp)
//   header     stands before the body, which is summed for it
#pragma once

#include <cstdint>

#include "format/page_header_writer.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::detail {

// State of a page between these stages.
struct SealingPage : format::PageFields {
  std::uint32_t padding;  // see WriterPlan::page_padding
};

}  // namespace microparquet::detail

namespace microparquet::write {

// Seals the open page of `column` if it has rows and is not sealed, and stores it. Requires: the budget is
// settled.
Status close_page(detail::WriterState& state, detail::ColumnWriter& column);

// Seals the open page. Requires: its row_count is set.
void seal_page(detail::WriterState& state, detail::ColumnWriter& column);

// Returns the page's share of FooterExtension::pages_sum. The sum does not depend on the order of the pages,
// but changes when two pages swap their places.
constexpr std::uint32_t page_sum(std::uint32_t crc, std::uint32_t first_row) {
  return crc * (2 * first_row + 1);
}

// Returns the other numbers in a page's header, which can vary only if pages are transformed.
constexpr std::uint32_t page_form(std::uint32_t uncompressed_bytes, std::uint32_t encoding) {
  return uncompressed_bytes << 4 | encoding;
}
// Term for pages of version 2. A page of version 1 may have the same body, and is unpacked differently. Many
// bits are set, so that several terms do not cancel out in the sum.
constexpr std::uint32_t version_form(bool is_v2) { return is_v2 ? 0x9E3779B1 : 0; }

constexpr std::uint32_t form_sum(std::uint32_t form, std::uint32_t first_row) {
  return form * (4 * first_row + 3);
}

}  // namespace microparquet::write
