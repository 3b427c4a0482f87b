// From values in a buffer to a page that is stored. It is sealed in three stages:
//
//   body       the encoder ends it, and levels and values come together
//   transform  it is compressed, where its column names a compressor (page_transform.cpp)
//   header     stands before the body, which is summed for it
#pragma once

#include <cstdint>

#include "format/page_header_writer.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::detail {

// A page on its way through them.
struct SealingPage : format::PageFields {
  std::uint32_t padding;  // as WriterPlan::page_padding
};

}  // namespace microparquet::detail

namespace microparquet::write {

// Seals the open page of `column`, if it has rows and is not sealed, and stores it.
// Requires: the budget is settled.
Status close_page(detail::WriterState& state, detail::ColumnWriter& column);

// What a page adds to FooterExtension::pages_sum: so the sum of several is the same in any order, and another
// one when two have each other's place.
constexpr std::uint32_t page_sum(std::uint32_t crc, std::uint32_t first_row) {
  return crc * (2 * first_row + 1);
}

// The numbers of a page's header that follow from nothing else where pages are transformed; and what they add
// to the sum then.
constexpr std::uint32_t page_form(std::uint32_t uncompressed_bytes, std::uint32_t encoding) {
  return uncompressed_bytes << 4 | encoding;
}
// What a page of version 2 has beyond that: one of version 1 may have the same body, and is to be unpacked.
// Many bits, so that several do not make up for each other in the sum.
constexpr std::uint32_t version_form(bool is_v2) { return is_v2 ? 0x9E3779B1 : 0; }

constexpr std::uint32_t form_sum(std::uint32_t form, std::uint32_t first_row) {
  return form * (4 * first_row + 3);
}

}  // namespace microparquet::write
