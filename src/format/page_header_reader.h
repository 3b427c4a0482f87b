// PageHeader, as it stands before each page.
#pragma once

#include <cstdint>

#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// parquet.thrift's PageType.
enum class PageType : std::uint8_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3, kOther = 255 };

struct PageHeader {
  PageType type = PageType::kOther;
  bool has_crc = false;
  bool compressed = true;          // V2: is_compressed
  std::uint32_t header_bytes = 0;  // of the header itself
  std::uint32_t uncompressed_bytes = 0;
  std::uint32_t compressed_bytes = 0;
  std::uint32_t crc = 0;
  std::uint32_t values = 0;
  std::uint32_t rows = 0;  // V2
  std::uint32_t encoding = 0;
  std::uint32_t level_encoding = 0;    // of definition levels
  std::uint32_t definition_bytes = 0;  // V2
  std::uint32_t repetition_bytes = 0;  // V2
};

// Reads the header that is next in the window; the page's bytes are next then.
// - kCorrupt: a number is negative, or a field is missing
Status read_page_header(detail::Window& window, PageHeader& header);

}  // namespace microparquet::format
