#include "own_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "byte_views.h"
#include "format/page_header_reader.h"
#include "microparquet/detail/sectors.h"
#include "stream_save.h"
#include "thrift_dom/page_headers.h"
#include "thrift_dom/row_group_parts.h"
#include "thrift_dom/thrift_value.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

// Bytes of a file, as ranges that do not touch.
class ByteSet {
 public:
  void add(const Piece& piece) {
    std::uint64_t begin = piece.begin;
    std::uint64_t end = piece.begin + piece.bytes;
    auto next = first_touched(begin);
    for (; next != ranges_.end() && next->first <= end; next = ranges_.erase(next)) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
    }
    ranges_.emplace(begin, end);
  }

  // Appends those of `piece` that are in the set.
  void append_common(const Piece& piece, std::vector<Piece>& common) const {
    const std::uint64_t end = piece.begin + piece.bytes;
    for (auto range = first_touched(piece.begin); range != ranges_.end() && range->first < end; ++range) {
      const std::uint64_t first = std::max(piece.begin, range->first);
      const std::uint64_t last = std::min(end, range->second);
      if (first < last) {
        common.push_back({first, last - first});
      }
    }
  }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // begin and end

  // The first range that does not end before `place`.
  Ranges::const_iterator first_touched(std::uint64_t place) const {
    auto range = ranges_.upper_bound(place);
    return range != ranges_.begin() && std::prev(range)->second >= place ? std::prev(range) : range;
  }

  Ranges ranges_;
};

}  // namespace

std::vector<std::vector<Piece>> find_overwritten(const std::vector<Bytes>& entries) {
  std::vector<std::vector<Piece>> overwritten(entries.size());
  ByteSet later;
  for (std::size_t i = entries.size(); i-- != 0;) {
    const std::vector<Piece> chunks = chunks_of(entries[i]);
    for (const Piece& chunk : chunks) {
      later.append_common(chunk, overwritten[i]);
    }
    for (const Piece& chunk : chunks) {
      later.add(chunk);
    }
  }
  return overwritten;
}

namespace {

bool in_place(const FooterTrace& footer) { return footer.columns != 0; }

}  // namespace

OwnParts::OwnParts(File& file, const FooterTrace& last, const Progress& progress)
    : file_(file), last_(last), traces_(find_traces(file, progress)), bytes_to_sum_(8 * last.end) {
  if (auto history = read_history(file, traces_, last, true)) {
    row_groups_ = std::move(history->row_groups);
    const std::vector<Leaf> leaves =
        traces_.tails.empty() ? std::vector<Leaf>() : leaves_of(history->footer.fields);
    for (const std::uint64_t tag : traces_.tails) {
      auto head = head_at(file, tag, leaves);
      if (head && head->file_id == last.extension.file_id) {
        heads_.push_back(std::move(*head));
      }
    }
  }
}

// Offsets of the first page of each row group, in ascending order.
std::vector<OwnParts::RowGroupBegin> OwnParts::begins(const std::vector<FilePart>& parts) const {
  std::vector<RowGroupBegin> begins;
  for (const FilePart& part : parts) {
    if (part.chunk == FilePart::kNone) {
      continue;
    }
    if (begins.empty() || begins.back().number != part.row_group) {
      begins.push_back({part.begin, part.row_group, part.rows.value_or(0)});
    }
    begins.back().begin = std::min(begins.back().begin, part.begin);
  }
  std::sort(begins.begin(), begins.end(),
            [](const RowGroupBegin& a, const RowGroupBegin& b) { return a.begin < b.begin; });
  return begins;
}

bool OwnParts::has_slot(std::uint64_t end) const {
  const auto slot = std::lower_bound(traces_.slots.begin(), traces_.slots.end(), end,
                                     [](const SlotTrace& each, std::uint64_t at) { return each.end < at; });
  return slot != traces_.slots.end() && slot->end == end;
}

// A slot that ends at `end`. The slots of a row group stand right before its first page.
void OwnParts::add_slot(std::uint64_t end, PartKind kind, const std::vector<RowGroupBegin>& begins,
                        std::vector<FilePart>& parts) const {
  const std::uint64_t bytes = last_.extension.slot_bytes;
  if (end < bytes) {
    return;
  }
  FilePart& part = parts.emplace_back();
  part.begin = end - bytes;
  part.end = std::min(end, last_.end);
  part.kind = kind;
  const auto row_group =
      std::lower_bound(begins.begin(), begins.end(), end,
                       [](const RowGroupBegin& each, std::uint64_t at) { return each.begin < at; });
  const std::uint64_t gap = in_place(last_) ? bytes : 0;
  if (row_group != begins.end() && row_group->begin - end <= gap) {
    part.row_group = row_group->number;
  }
}

// The places for a stream's saves; records in what is saved are parts of it.
void OwnParts::add_saves(std::vector<FilePart>& parts) const {
  const auto add = [&parts](std::uint64_t begin, std::uint64_t end, PartKind kind) -> FilePart& {
    FilePart& part = parts.emplace_back();
    part.begin = begin;
    part.end = end;
    part.kind = kind;
    return part;
  };
  for (const SavePlace& place : find_save_places(file_, last_)) {
    const std::uint64_t head_end = place.begin + detail::kSectorBytes;
    if (place.saved_end != 0 && place.counts) {
      add(place.begin, head_end, PartKind::kSaveHead).rows = place.rows;
      add(head_end, place.saved_end, PartKind::kSavedBytes);
    } else if (place.saved_end != 0) {
      add(place.begin, place.saved_end, PartKind::kOldSave).rows = place.rows;
    }
    add(place.saved_end != 0 ? place.saved_end : place.begin, place.end, PartKind::kSavePlace);
  }
}

void OwnParts::add_parts(std::vector<FilePart>& parts) const {
  add_saves(parts);
  const std::vector<RowGroupBegin> row_groups = begins(parts);
  for (const FooterTrace& footer : traces_.footers) {
    if (footer.end != last_.end && !footer.torn) {
      FilePart& part = parts.emplace_back();
      part.begin = footer.begin;
      part.end = footer.end;
      part.kind = PartKind::kOldFooter;
      part.rows = footer.extension.rows;
    }
  }
  const detail::FooterExtension& extension = last_.extension;
  std::vector<std::uint64_t> unused;
  for (const SlotTrace& slot : traces_.slots) {
    if (slot.trailer.file_id != extension.file_id) {
      continue;
    }
    const bool finished = slot.trailer.entry.next != 0;
    add_slot(slot.end,
             slot.empty() ? PartKind::kEmptiedSlot
             : finished   ? PartKind::kRecord
                          : PartKind::kCheckpointRecord,
             row_groups, parts);
    if (in_place(last_) && !slot.empty()) {
      unused.push_back(finished ? slot.end + extension.slot_bytes : slot.end - extension.slot_bytes);
    }
  }
  if (extension.open_bytes != 0) {
    const std::uint64_t begin = extension.next.offset();
    unused.push_back(begin + extension.slot_bytes);
    unused.push_back(begin + 2 * std::uint64_t{extension.slot_bytes});
  }
  for (const std::uint64_t end : unused) {
    if (!has_slot(end)) {
      add_slot(end, PartKind::kUnusedSlot, row_groups, parts);
    }
  }
  for (const TailHead& head : heads_) {
    FilePart& part = parts.emplace_back();
    part.begin = head.head.begin;
    part.end = head.head.end();
    part.kind = PartKind::kTailHead;
    part.rows = head.rows;
  }
}

bool OwnParts::is_in_place_for_tails(std::uint64_t offset) const {
  return std::any_of(heads_.begin(), heads_.end(), [offset](const TailHead& head) {
    return head.places.begin <= offset && offset < head.places.end();
  });
}

Reserved OwnParts::reserved_at(std::uint64_t offset) const {
  const detail::FooterExtension& extension = last_.extension;
  const std::uint64_t ranges[][2] = {{extension.next.offset(), extension.segment_end.offset()},
                                     {extension.free_begin.offset(), extension.free_end.offset()}};
  std::uint64_t next = ~std::uint64_t{0};
  for (const auto& [begin, end] : ranges) {
    if (begin <= offset && offset < end) {
      return {true, end};
    }
    if (offset < begin && begin < end) {
      next = std::min(next, begin);
    }
  }
  return {false, next};
}

// Pages follow each other from the begin of an extent on, which begins on a sector.
void OwnParts::add_stray_pages(std::uint64_t begin, std::uint64_t end, std::vector<FilePart>& parts) {
  while (begin < end) {
    const std::uint64_t page_end = stray_page_end(begin, end);
    if (page_end != 0) {
      FilePart& part = parts.emplace_back();
      part.begin = begin;
      part.end = page_end;
      part.kind = is_in_place_for_tails(begin) ? PartKind::kTailPage : PartKind::kStrayPage;
    }
    begin = page_end != 0 ? page_end : (begin / detail::kSectorBytes + 1) * detail::kSectorBytes;
  }
}

// The end of the data page at `begin`, whose checksum is right; 0 when there is none.
std::uint64_t OwnParts::stray_page_end(std::uint64_t begin, std::uint64_t end) {
  constexpr std::byte kFirstByte{format::kPageNumber};
  constexpr std::uint64_t kHeaderBytes = 8 << 10;
  Bytes bytes = read_bytes(file_, begin, 1);
  if (bytes.empty() || bytes.front() != kFirstByte) {
    return 0;
  }
  bytes = read_bytes(file_, begin, static_cast<std::size_t>(std::min(kHeaderBytes, end - begin)));
  detail::Window window = window_on(bytes);
  format::PageHeader header;
  if (format::read_page_header(window, header) != Status::kOk || header.type != format::PageType::kData ||
      !header.has_crc || header.compressed_bytes > end - begin - header.header_bytes ||
      header.compressed_bytes > bytes_to_sum_ ||
      !header_is_exact(ByteView(bytes).subspan(0, header.header_bytes))) {
    return 0;
  }
  bytes_to_sum_ -= header.compressed_bytes;
  const Bytes body = read_bytes(file_, begin + header.header_bytes, header.compressed_bytes);
  return body.size() == header.compressed_bytes && crc_of(0, body) == header.crc
             ? begin + header.header_bytes + header.compressed_bytes
             : 0;
}

}  // namespace microparquet::recovery
