// Headers of pages, read field by field.
#include "format/page_header_reader.h"

#include "support/check.h"
#include "support/names.h"

namespace {

// The header of a page of a dictionary of three entries in ten bytes.
Status read_dictionary_header(std::uint8_t encoding, microparquet::format::PageHeader& header) {
  std::byte bytes[] = {std::byte{0x15}, std::byte{4},    std::byte{0x15}, std::byte{20}, std::byte{0x15},
                       std::byte{20},   std::byte{0x4C}, std::byte{0x15}, std::byte{6},  std::byte{0x15},
                       std::byte{0},    std::byte{0},    std::byte{0}};
  bytes[10] = static_cast<std::byte>(2 * encoding);
  microparquet::detail::Window window = {};
  window.view_memory(bytes, sizeof bytes);
  return microparquet::format::read_page_header(window, header);
}

}  // namespace

TEST("page headers: a dictionary is in PLAIN, by either of its names") {
  for (std::uint8_t encoding = 0; encoding < 64; ++encoding) {
    microparquet::format::PageHeader header;
    const Status status = read_dictionary_header(encoding, header);
    CHECK_EQ(status, encoding == 0 || encoding == 2 ? Status::kOk : Status::kCorrupt);
    CHECK_EQ(header.header_bytes, 13U);
    CHECK_EQ(header.values, 3U);
  }
}
