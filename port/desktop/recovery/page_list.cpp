#include "page_list.h"

#include <algorithm>
#include <cstring>

#include "byte_views.h"
#include "format/bloom_filter_reader.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/encoding_id.h"
#include "thrift_dom/page_headers.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::PageHeader;
using format::PageType;

constexpr std::uint32_t kListWindowBytes = 1 << 20;   // no header is longer
constexpr std::size_t kSoughtHeaderBytes = 64 << 10;  // headers that are looked for are not

bool plausible(const PageHeader& header) {
  const bool known = header.type == PageType::kData || header.type == PageType::kDataV2 ||
                     header.type == PageType::kDictionary;
  return known && header.encoding <= static_cast<std::uint32_t>(EncodingId::kAlp) &&
         (header.compressed_bytes != 0 || header.values == 0 || header.uncompressed_bytes == 0);
}

class PageLister {
 public:
  PageLister(View& view, const Progress& progress)
      : view_(view), progress_(progress), size_(view.bytes()), bytes_to_sum_((1 << 16) + 8 * size_) {}

  PageList run() {
    std::uint64_t at = format::kMagicBytes;
    bool gap = false;
    result_.end = at;
    while (at < size_) {
      ListedPage page;
      page.after_gap = gap;
      const Found found = read_page(at, page);
      if (found == Found::kPage) {
        gap = false;
        page.checksum_holds = checksum_holds(page);
        result_.pages.push_back(page);
        at = result_.end = page.end;
      } else if (found == Found::kCut && !gap) {
        result_.cut = true;
        at = find_page(at + 1);
        gap = true;
      } else if (const std::uint64_t bytes = bloom_filter_bytes(at); bytes != 0) {
        at += bytes;
      } else if (const std::uint64_t more = gap ? 0 : chunk_end_bytes(at); more != 0) {
        at += more;
      } else {
        at = find_page(at + 1);
        gap = true;
      }
      result_.gaps += gap && at < size_ ? 1 : 0;
      result_.cut = result_.cut && at >= size_;
      if (progress_) {
        progress_(at);
      }
    }
    return std::move(result_);
  }

 private:
  enum class Found { kPage, kCut, kNothing };

  Found read_page(std::uint64_t at, ListedPage& page) {
    window_bytes_ = read_bytes(
        view_, at, static_cast<std::size_t>(std::min<std::uint64_t>(kSoughtHeaderBytes, size_ - at)));
    const Found found = read_page(at, window_bytes_, page);
    if (found != Found::kNothing || size_ - at <= kSoughtHeaderBytes || window_bytes_.empty() ||
        window_bytes_[0] != std::byte{format::kPageNumber}) {
      return found;
    }
    window_bytes_ = read_bytes(
        view_, at, static_cast<std::size_t>(std::min<std::uint64_t>(kListWindowBytes, size_ - at)));
    return read_page(at, window_bytes_, page);
  }

  Found read_page(std::uint64_t at, ByteView bytes, ListedPage& page) const {
    detail::Window window = window_on(bytes);
    if (bytes.empty() || bytes[0] != std::byte{format::kPageNumber} ||
        format::read_page_header(window, page.header) != Status::kOk || !plausible(page.header) ||
        !header_is_exact(bytes.subspan(0, page.header.header_bytes))) {
      return Found::kNothing;
    }
    page.begin = at;
    page.end = at + page.header.header_bytes + page.header.compressed_bytes;
    return page.end > size_ ? Found::kCut : Found::kPage;
  }

  bool checksum_holds(const ListedPage& page) {
    constexpr std::uint64_t kPiece = 1 << 20;
    if (!page.header.has_crc) {
      return true;
    }
    std::uint32_t crc = 0;
    for (std::uint64_t at = page.begin + page.header.header_bytes; at < page.end;) {
      const Bytes piece =
          read_bytes(view_, at, static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, page.end - at)));
      if (piece.empty()) {
        return false;
      }
      crc = crc_of(crc, piece);
      at += piece.size();
    }
    return crc == page.header.crc;
  }

  // Bytes of a whole Bloom filter that begins at `at`; 0: there is none.
  std::uint64_t bloom_filter_bytes(std::uint64_t at) const {
    constexpr std::size_t kMost = 64;
    const Bytes bytes =
        read_bytes(view_, at, static_cast<std::size_t>(std::min<std::uint64_t>(kMost, size_ - at)));
    detail::Window window = window_on(bytes);
    thrift::CompactReader in(window);
    const std::uint64_t filter = format::read_bloom_filter_header(in);
    const std::uint64_t whole = window.position() + filter;
    return in.status() == Status::kOk && filter != 0 && whole <= size_ - at ? whole : 0;
  }

  // Bytes of a ColumnMetaData structure, or of a ColumnChunk with one, for the chunk that ends at `at`; 0:
  // there is none.
  std::uint64_t chunk_end_bytes(std::uint64_t at) {
    constexpr std::size_t kMost = 64 << 10;
    const Bytes bytes =
        read_bytes(view_, at, static_cast<std::size_t>(std::min<std::uint64_t>(kMost, size_ - at)));
    std::size_t used = 0;
    auto end = read_chunk_end(bytes, at, used);
    if (!end || result_.pages.empty()) {
      return 0;
    }
    result_.pages.back().chunk_end = std::move(end);
    return used;
  }

  // The first page from `from` on, or the file's end.
  std::uint64_t find_page(std::uint64_t from) {
    Bytes bytes;
    for (std::uint64_t at = from; at < size_; at += kListWindowBytes - kSoughtHeaderBytes) {
      bytes = read_bytes(view_, at,
                         static_cast<std::size_t>(std::min<std::uint64_t>(kListWindowBytes, size_ - at)));
      const std::size_t end = std::min<std::size_t>(bytes.size(), kListWindowBytes - kSoughtHeaderBytes);
      for (std::size_t i = 0; i < end; ++i) {
        const void* const next = std::memchr(bytes.data() + i, int{format::kPageNumber}, end - i);
        if (next == nullptr) {
          break;
        }
        i = static_cast<std::size_t>(static_cast<const std::byte*>(next) - bytes.data());
        if (is_page(at + i, ByteView(bytes).subspan(i, std::min(bytes.size() - i, kSoughtHeaderBytes)))) {
          return at + i;
        }
      }
      if (progress_) {
        progress_(at);
      }
    }
    return size_;
  }

  bool is_page(std::uint64_t at, ByteView bytes) {
    ListedPage page;
    if (read_page(at, bytes, page) != Found::kPage || page.header.values == 0 ||
        page.header.compressed_bytes == 0) {
      return false;
    }
    if (page.header.has_crc) {
      if (page.header.compressed_bytes > bytes_to_sum_) {
        return false;
      }
      bytes_to_sum_ -= page.header.compressed_bytes;
      return checksum_holds(page);
    }
    const Bytes after =
        read_bytes(view_, page.end,
                   static_cast<std::size_t>(std::min<std::uint64_t>(kSoughtHeaderBytes, size_ - page.end)));
    ListedPage next;
    return page.end == size_ || read_page(page.end, after, next) != Found::kNothing;
  }

  View& view_;
  const Progress& progress_;
  std::uint64_t size_;
  std::uint64_t bytes_to_sum_;  // bytes that may be summed in search of a page
  Bytes window_bytes_;
  PageList result_;
};

}  // namespace

bool ListedPage::uses_dictionary() const {
  return header.encoding == static_cast<std::uint32_t>(EncodingId::kPlainDictionary) ||
         header.encoding == static_cast<std::uint32_t>(EncodingId::kRleDictionary);
}

PageList list_pages(View& view, const Progress& progress) { return PageLister(view, progress).run(); }

}  // namespace microparquet::recovery
