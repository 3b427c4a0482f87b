// The pages of a file, one after another, by their headers alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/page_header_reader.h"
#include "thrift_dom/chunk_places.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

struct ListedPage {
  std::uint64_t begin = 0;  // begin of the page's header
  std::uint64_t end = 0;
  format::PageHeader header = {};
  bool checksum_holds = true;  // true also without a checksum
  bool after_gap = false;      // bytes before it are no page, and may have been any number of them

  std::optional<ChunkEnd> chunk_end;  // structure right after it

  bool dictionary() const { return header.type == format::PageType::kDictionary; }
  bool second_version() const { return header.type == format::PageType::kDataV2; }
  // Whether its values are numbers of entries of a dictionary.
  bool uses_dictionary() const;
};

struct PageList {
  std::vector<ListedPage> pages;
  std::uint64_t end = 0;   // end of the last page
  bool cut = false;        // a page begins there, which is longer than the file
  std::uint64_t gaps = 0;  // places within that are no pages
};

// The pages from byte 4 on. After bytes that are none, Bloom filters left out, the next page is looked for: one
// with a right checksum or, where the writer has none, one that another page follows.
PageList list_pages(View& view, const Progress& progress);

}  // namespace microparquet::recovery
