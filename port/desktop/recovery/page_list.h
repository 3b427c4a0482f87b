// The pages of a file, one after another, by their headers alone.
#pragma once

#include <cstdint>
#include <vector>

#include "format/page_header_reader.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

struct ListedPage {
  std::uint64_t begin = 0;  // of its header
  std::uint64_t end = 0;
  format::PageHeader header = {};
  bool checksum_holds = true;  // or there is none

  bool dictionary() const { return header.type == format::PageType::kDictionary; }
};

// The pages from byte 4 on, up to the first bytes that are no page.
std::vector<ListedPage> list_pages(View& view, const Progress& progress);

}  // namespace microparquet::recovery
