// PageHeader, as any writer may have written it.
#pragma once

#include <cstdint>

#include "format/page_header.h"
#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

struct PageHeader {
  PageType type;
  bool has_crc;
  bool compressed;             // V2: is_compressed
  std::uint32_t header_bytes;  // of the header itself
  std::uint32_t uncompressed_bytes;
  std::uint32_t compressed_bytes;
  std::uint32_t crc;
  std::uint32_t values;
  std::uint32_t rows;  // V2
  std::uint32_t encoding;
  std::uint32_t level_encoding;       // of definition levels; RLE where nothing is said
  std::uint32_t repetition_encoding;  // V1
  std::uint32_t definition_bytes;     // V2
  std::uint32_t repetition_bytes;     // V2
};

// Reads the header that is next in the window; the page's bytes are next then.
// - kCorrupt: a number is negative, a field is missing, or the dictionary in the page is of no encoding that there is
Status read_page_header(detail::Window& window, PageHeader& header);

}  // namespace microparquet::format
