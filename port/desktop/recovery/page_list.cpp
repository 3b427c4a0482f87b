#include "page_list.h"

#include "format/header_check.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/port/crc32_hardware.h"

namespace microparquet::recovery {

namespace {

using format::PageHeader;
using format::PageType;

using format::kMagicBytes;
constexpr std::uint32_t kHeaderBytes = 1 << 20;  // no header is longer

bool plausible(const PageHeader& header) {
  const bool known = header.type == PageType::kData || header.type == PageType::kDataV2 ||
                     header.type == PageType::kDictionary;
  return known && header.encoding <= 9 &&
         (header.compressed_bytes != 0 || header.values == 0 || header.uncompressed_bytes == 0);
}

bool checksum_holds(View& view, std::uint64_t at, const PageHeader& header) {
  if (!header.has_crc) {
    return true;
  }
  const Bytes body = read_bytes(view, at, header.compressed_bytes);
  return body.size() == header.compressed_bytes && crc32_hardware(0, body.data(), body.size()) == header.crc;
}

}  // namespace

std::vector<ListedPage> list_pages(View& view, const Progress& progress) {
  std::vector<ListedPage> pages;
  Bytes memory(kHeaderBytes);
  detail::Window window = {};
  window.begin(view, memory.data(), kHeaderBytes);
  window.seek(kMagicBytes, view.bytes());
  while (window.position() < view.bytes()) {
    ListedPage page;
    page.begin = window.position();
    if (format::read_page_header(window, page.header) != Status::kOk || !plausible(page.header) ||
        page.header.compressed_bytes > window.left() ||
        !header_is_exact(read_bytes(view, page.begin, page.header.header_bytes))) {
      break;
    }
    page.end = window.position() + page.header.compressed_bytes;
    page.checksum_holds = checksum_holds(view, window.position(), page.header);
    if (window.skip(page.header.compressed_bytes) != Status::kOk) {
      break;
    }
    if (progress) {
      progress(page.end);
    }
    pages.push_back(page);
  }
  return pages;
}

}  // namespace microparquet::recovery
