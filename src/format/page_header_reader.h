// Reading PageHeader (parquet.thrift) from any writer.
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
  std::uint32_t header_bytes;  // length of the header itself
  std::uint32_t uncompressed_bytes;
  std::uint32_t compressed_bytes;
  std::uint32_t crc;
  std::uint32_t values;
  std::uint32_t rows;  // V2
  std::uint32_t encoding;
  std::uint32_t level_encoding;       // encoding of definition levels; RLE if the header states none
  std::uint32_t repetition_encoding;  // V1
  std::uint32_t definition_bytes;     // V2
  std::uint32_t repetition_bytes;     // V2
};

// Reads the next header in the window; the page's bytes follow.
// - kCorrupt: a number is negative, a field is missing, or the encoding of a dictionary does not exist
Status read_page_header(detail::Window& window, PageHeader& header);

}  // namespace microparquet::format
