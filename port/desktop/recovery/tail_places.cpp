#include "tail_places.h"

#include <algorithm>

#include "byte_views.h"
#include "microparquet/detail/sectors.h"
#include "numbers.h"
#include "thrift_dom/row_group_parts.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

// The sectors that the extension calls free in the extent of each column, as begin and end.
std::vector<Piece> free_extents(File& file, const FooterTrace& trace) {
  const std::size_t bytes = std::size_t{8} * trace.columns;
  const Bytes words = read_bytes(file, trace.tag + detail::kFooterExtensionBytes, bytes);
  std::vector<Piece> extents;
  for (std::size_t at = 0; at + 8 <= words.size(); at += 8) {
    const std::uint64_t begin = number_at<std::uint32_t>(words, at) * std::uint64_t{detail::kSectorBytes};
    const std::uint64_t end = number_at<std::uint32_t>(words, at + 4) * std::uint64_t{detail::kSectorBytes};
    extents.push_back({begin, end - std::min(begin, end)});
  }
  return extents;
}

// Whether the pages of the open row group are a tail: none of them ends where its extent is free.
bool is_tail(const std::vector<Piece>& chunks, const std::vector<Piece>& extents) {
  for (std::size_t i = 0; i < std::min(chunks.size(), extents.size()); ++i) {
    if (chunks[i].end() == extents[i].begin) {
      return false;
    }
  }
  return chunks.size() == extents.size();
}

}  // namespace

TailPlaces find_places(File& file, const Traces& traces, const FooterTrace& trace, const Footer& footer) {
  TailPlaces places;
  const detail::FooterExtension& extension = trace.extension;
  if (trace.columns == 0 || extension.open_bytes == 0 || footer.entries.empty()) {
    return places;
  }
  const std::vector<Piece> extents = free_extents(file, trace);
  const std::vector<Piece> chunks = chunks_of(footer.entries.back());
  const std::uint64_t begin = extension.next.offset() + 2 * std::uint64_t{extension.slot_bytes};
  std::uint64_t limit = trace.begin;
  for (const Piece& extent : extents) {
    limit = std::max(begin, std::min(limit, extent.begin));
  }
  const bool has_tail = is_tail(chunks, extents);
  bool described = false;
  const std::vector<Leaf> leaves = leaves_of(footer.fields);
  for (const TailHead& head : heads_at(file, begin, limit, leaves)) {
    const bool is_own = !head.save && head.continues == extension.entries_crc;
    described = described || (is_own && head.pages_hold);
    if (head.pages_hold) {
      ++places.heads;
    } else {
      places.torn.push_back("the open pages in the place at " + std::to_string(head.place.begin) +
                            " do not have the checksum that their head states");
    }
  }
  for (const std::uint64_t at : traces.tails) {
    const bool is_here =
        at >= begin && at + detail::kSectorBytes <= limit && (at - begin) % detail::kSectorBytes == 0;
    if (is_here && !head_at(file, at, leaves)) {
      places.torn.push_back("the head at " + std::to_string(at) + " is not whole, or has another form");
    }
  }
  if (has_tail && !described) {
    places.damage.emplace_back(
        "no head describes the tail as the footer does: the next boot ends its row group there");
  }
  return places;
}

}  // namespace microparquet::recovery
