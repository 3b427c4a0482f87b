#include "chunk_pages.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "format/page_header_reader.h"
#include "microparquet/port/crc32_hardware.h"
#include "thrift_dom/page_headers.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::PageHeader;
using format::PageType;

constexpr std::uint32_t kWindowBytes = 1 << 20;

std::string at_text(std::uint64_t at) { return "the page at " + std::to_string(at); }

bool is_data(const PageHeader& header) {
  return header.type == PageType::kData || header.type == PageType::kDataV2;
}

class PageWalk {
 public:
  PageWalk(File& file, const ColumnChunkInfo& chunk, const std::vector<Piece>& overwritten, Bytes& memory,
           const VisitPage& visit)
      : file_(file),
        overwritten_(overwritten),
        visit_(visit),
        values_(chunk.values),
        end_(begin_of(chunk) + chunk.compressed_bytes),
        bytes_to_sum_(kMinToSum + 8 * chunk.compressed_bytes) {
    memory.resize(std::max<std::size_t>(memory.size(), kWindowBytes));
    window_.begin(file, memory.data(), kWindowBytes);
    window_.seek(begin_of(chunk), end_);
    result_.end = begin_of(chunk);
  }

  ChunkPages run() {
    while (window_.position() < end_) {
      const std::uint64_t at = window_.position();
      const std::uint64_t overwritten_to = end_of_overwritten(at);
      const char* const trouble = overwritten_to != at ? " belongs to a later row group" : walk_page();
      if (trouble == nullptr) {
        continue;
      }
      if (result_.values >= values_) {
        break;  // all values have come: what follows is none of this chunk's pages
      }
      result_.damage.push_back(at_text(at) + trouble);
      const std::uint64_t next = find_page(std::max(at + 1, overwritten_to));
      result_.pages.push_back({at, next, 0, false, false});
      result_.end = next;
      show({at, next, nullptr, {}, false});
      window_.restart_at(next, end_);
    }
    return std::move(result_);
  }

 private:
  // End of the overwritten bytes around `place`; `place` itself when it is not among them.
  std::uint64_t end_of_overwritten(std::uint64_t place) const {
    const auto around = std::find_if(overwritten_.begin(), overwritten_.end(), [place](const Piece& piece) {
      return piece.begin <= place && place < piece.begin + piece.bytes;
    });
    return around != overwritten_.end() ? around->begin + around->bytes : place;
  }

  // Names the fault of the current page; null: it is passed.
  const char* walk_page() {
    const std::uint64_t at = window_.position();
    PageHeader header;
    const Status status = format::read_page_header(window_, header);
    const std::uint64_t body = window_.position();
    header_bytes_ = read_bytes(file_, at, static_cast<std::size_t>(body - at));
    if (status != Status::kOk || !header_is_exact(header_bytes_)) {
      return " has no proper header";
    }
    if (header.compressed_bytes > end_ - body) {
      return " is longer than what is left of the column chunk";
    }
    if (is_data(header) && header.values != 0 && result_.values >= values_) {
      return " is one more than the values need";
    }
    add(at, body, header);
    static_cast<void>(window_.skip(header.compressed_bytes));
    return nullptr;
  }

  void add(std::uint64_t at, std::uint64_t body, const PageHeader& header) {
    const bool holds = !header.has_crc || checksum_holds(body, header);
    if (!holds) {
      result_.damage.push_back(at_text(at) + " does not have its checksum");
    }
    ++result_.count;
    result_.checksums += header.has_crc ? 1 : 0;
    result_.uncompressed_bytes += std::uint64_t{header.header_bytes} + header.uncompressed_bytes;
    result_.end = body + header.compressed_bytes;
    if (header.type == PageType::kOther) {
      result_.unknown.push_back(at_text(at) + ": its type is not known");
    }
    if (is_data(header)) {
      result_.first_data_page = result_.first_data_page == 0 ? at : result_.first_data_page;
      result_.values += header.values;
      result_.encodings |= header.encoding < 32 ? 1U << header.encoding : 0;
      result_.pages.push_back({at, result_.end, header.values, true, holds});
    }
    if (header.type == PageType::kDictionary && result_.pages.empty()) {
      result_.dictionary_crc = header.crc;
      if (holds) {
        result_.dictionary = Piece{at, result_.end - at};
      }
    }
    show({at, result_.end, &header, header_bytes_, holds});
  }

  void show(const SeenPage& page) const {
    if (visit_) {
      visit_(page);
    }
  }

  bool checksum_holds(std::uint64_t at, const PageHeader& header) {
    constexpr std::uint32_t kPiece = 1 << 20;
    std::uint32_t crc = 0;
    for (std::uint32_t done = 0; done < header.compressed_bytes; done += kPiece) {
      piece_.resize(std::min(kPiece, header.compressed_bytes - done));
      if (file_.read_at(at + done, piece_) != Status::kOk) {
        return false;
      }
      crc = crc32_hardware(crc, piece_.data(), piece_.size());
    }
    return crc == header.crc;
  }

  // The first page from `from` on, or the chunk's end.
  std::uint64_t find_page(std::uint64_t from) {
    Bytes bytes;
    for (std::uint64_t at = from; at < end_; at += kWindowBytes - kHeaderBytes) {
      bytes =
          read_bytes(file_, at, static_cast<std::size_t>(std::min<std::uint64_t>(kWindowBytes, end_ - at)));
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const void* const next = std::memchr(bytes.data() + i, int{format::kPageNumber}, bytes.size() - i);
        if (next == nullptr) {
          break;
        }
        i = static_cast<std::size_t>(static_cast<const std::byte*>(next) - bytes.data());
        if (is_page(at + i, ByteView(bytes).subspan(i, std::min(bytes.size() - i, kHeaderBytes)))) {
          return at + i;
        }
      }
    }
    return end_;
  }

  bool is_page(std::uint64_t at, ByteView bytes) {
    detail::Window window = window_on(bytes);
    PageHeader header;
    if (format::read_page_header(window, header) != Status::kOk || !is_data(header) || !header.has_crc ||
        header.values == 0 || header.compressed_bytes == 0 || header.header_bytes > end_ - at ||
        header.compressed_bytes > end_ - at - header.header_bytes ||
        header.compressed_bytes > bytes_to_sum_ || !header_is_exact(bytes.subspan(0, header.header_bytes))) {
      return false;
    }
    bytes_to_sum_ -= header.compressed_bytes;
    return checksum_holds(at + header.header_bytes, header);
  }

  static constexpr std::size_t kHeaderBytes = 64 << 10;  // headers that are looked for are not longer
  static constexpr std::uint64_t kMinToSum = 64 << 10;   // bytes, in search of a page

  File& file_;
  const std::vector<Piece>& overwritten_;
  const VisitPage& visit_;
  Bytes piece_;
  Bytes header_bytes_;
  std::uint64_t values_;
  std::uint64_t end_;
  std::uint64_t bytes_to_sum_;
  detail::Window window_ = {};
  ChunkPages result_;
};

}  // namespace

std::uint64_t begin_of(const ColumnChunkInfo& chunk) {
  const std::uint64_t dictionary = chunk.dictionary_page_offset;
  return dictionary != 0 && dictionary < chunk.data_page_offset ? dictionary : chunk.data_page_offset;
}

ChunkPages find_pages(File& file, const ColumnChunkInfo& chunk, const std::vector<Piece>& overwritten,
                      Bytes& memory, const VisitPage& visit) {
  return PageWalk(file, chunk, overwritten, memory, visit).run();
}

}  // namespace microparquet::recovery
