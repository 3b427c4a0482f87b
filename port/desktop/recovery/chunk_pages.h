// The pages of a column chunk, found by their headers, and where among them there are none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "byte_views.h"
#include "format/page_header_reader.h"
#include "microparquet/file.h"
#include "microparquet/reader.h"
#include "view.h"

namespace microparquet::recovery {

// A data page, or bytes in which no page can be found.
struct ChunkPage {
  std::uint64_t begin = 0;  // begin of the page's header
  std::uint64_t end = 0;
  std::uint32_t values = 0;  // values with nulls, as its header counts them
  bool counted = true;       // there is a header, and so it is known how many values are in it
  bool holds = true;         // its checksum is right, or it has none
};

struct ChunkPages {
  std::vector<ChunkPage> pages;                 // data pages and gaps, in the order of the file
  std::optional<Piece> dictionary;              // the page of it, if there is one that holds
  std::optional<std::uint32_t> dictionary_crc;  // CRC in the header of its dictionary page
  std::vector<std::string> damage;              // a sentence for each page that does not hold
  std::vector<std::string> unknown;             // pages of unknown types, which are passed over
  std::uint32_t count = 0;                      // pages of any type
  std::uint32_t checksums = 0;                  // pages that have a checksum
  std::uint64_t values = 0;                     // values of all data pages
  std::uint64_t uncompressed_bytes = 0;
  std::uint64_t first_data_page = 0;
  std::uint64_t end = 0;        // end of the last page
  std::uint32_t encodings = 0;  // encodings of data pages
};

// Offset of a chunk's first page.
std::uint64_t begin_of(const ColumnChunkInfo& chunk);

// A page of any type, or bytes in which the walk finds no page.
struct SeenPage {
  std::uint64_t begin = 0;  // begin of the header
  std::uint64_t end = 0;
  const format::PageHeader* header = nullptr;  // null: these bytes are no page
  ByteView header_bytes;                       // valid until the visit returns
  bool holds = true;                           // its checksum is right, or it has none
};
using VisitPage = std::function<void(const SeenPage&)>;

// Walks the pages of `chunk`. After bytes that are no page, or that are `overwritten`, the next page is
// looked for: one with a checksum that is right. `memory` is used for what is read, and may grow. `visit`
// sees everything in the order of the file. Requires: the chunk lies in `file`.
ChunkPages find_pages(File& file, const ColumnChunkInfo& chunk, const std::vector<Piece>& overwritten,
                      Bytes& memory, const VisitPage& visit = {});

}  // namespace microparquet::recovery
