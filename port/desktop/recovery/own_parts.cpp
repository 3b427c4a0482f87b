#include "own_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

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

FilePart& add_part(std::uint64_t begin, std::uint64_t end, PartKind kind, std::vector<FilePart>& parts) {
  FilePart& part = parts.emplace_back();
  part.begin = begin;
  part.end = end;
  part.kind = kind;
  return part;
}

// The bytes of a save in [begin, end) that are no pages.
void add_between_pages(std::uint64_t begin, std::uint64_t end, std::vector<FilePart>& parts) {
  std::map<std::uint64_t, std::uint64_t> pages;  // begin and end
  for (const FilePart& part : parts) {
    if (part.kind == PartKind::kSavedChunk && begin <= part.begin && part.begin < end) {
      pages.emplace(part.begin, part.end);
    }
  }
  pages.emplace(end, end);
  for (const auto& [page_begin, page_end] : pages) {
    if (begin < page_begin) {
      add_part(begin, page_begin, PartKind::kSavedBytes, parts);
    }
    begin = page_end;
  }
}

}  // namespace

OwnParts::OwnParts(File& file, const FooterTrace& last, const Progress& progress)
    : file_(file), last_(last), traces_(find_traces(file, progress)), bytes_to_sum_(8 * last.end) {
  if (auto history = read_saved_history(file, traces_, last, true)) {
    rows_ = history->rows();
    save_ = history->save;
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
  FilePart& part = add_part(end - bytes, std::min(end, last_.end), kind, parts);
  const auto row_group =
      std::lower_bound(begins.begin(), begins.end(), end,
                       [](const RowGroupBegin& each, std::uint64_t at) { return each.begin < at; });
  const std::uint64_t gap = in_place(last_) ? bytes : 0;
  if (row_group != begins.end() && row_group->begin - end <= gap) {
    part.row_group = row_group->number;
  }
}

std::optional<std::uint64_t> OwnParts::place_in_save(std::uint64_t offset) const {
  if (!save_ || offset < save_->belongs.begin || offset >= save_->belongs.end()) {
    return std::nullopt;
  }
  return save_->place + detail::kSectorBytes + (offset - save_->belongs.begin);
}

// The places for a stream's saves; records in what is saved are parts of it.
void OwnParts::add_saves(std::vector<FilePart>& parts) const {
  for (const SavePlace& place : find_save_places(file_, last_)) {
    const std::uint64_t head_end = place.begin + detail::kSectorBytes;
    const bool is_taken = save_ && save_->place == place.begin;
    if (is_taken) {
      add_part(place.begin, head_end, PartKind::kSaveHead, parts).rows = place.rows;
      add_between_pages(head_end, place.saved_end, parts);
    } else if (place.saved_end != 0) {
      add_part(place.begin, place.saved_end, PartKind::kOldSave, parts).rows = place.rows;
    }
    add_part(place.saved_end != 0 ? place.saved_end : place.begin, place.end, PartKind::kSavePlace, parts);
  }
}

// Heads of tails. That of the save that counts tells of the file's rows, the others of those of their row group.
void OwnParts::add_heads(std::vector<FilePart>& parts) const {
  for (const TailHead& head : heads_) {
    const bool counts =
        head.save && std::any_of(row_groups_.begin(), row_groups_.end(), [&](const RowGroupHistory& each) {
          return each.described.head && each.described.head->head.begin == head.head.begin;
        });
    const PartKind kind = counts ? PartKind::kSaveHead : PartKind::kTailHead;
    add_part(head.head.begin, head.head.end(), kind, parts).rows = counts ? rows_ : head.rows;
  }
}

void OwnParts::add_parts(std::vector<FilePart>& parts) const {
  add_saves(parts);
  add_heads(parts);
  const std::vector<RowGroupBegin> row_groups = begins(parts);
  for (const FooterTrace& footer : traces_.footers) {
    if (footer.end != last_.end && !footer.torn) {
      add_part(footer.begin, footer.end, PartKind::kOldFooter, parts).rows = footer.extension.rows;
    }
  }
  for (const SlotTrace& slot : traces_.slots) {
    if (slot.trailer.file_id == last_.extension.file_id) {
      add_slot(slot.end,
               slot.empty()                   ? PartKind::kEmptiedSlot
               : slot.trailer.entry.next != 0 ? PartKind::kRecord
                                              : PartKind::kCheckpointRecord,
               row_groups, parts);
    }
  }
  add_unused_slots(row_groups, parts);
}

// The other slots of row groups of which one is there. Nothing else says where they are: later row groups may have begun there.
void OwnParts::add_unused_slots(const std::vector<RowGroupBegin>& row_groups,
                                std::vector<FilePart>& parts) const {
  const detail::FooterExtension& extension = last_.extension;
  std::vector<std::uint64_t> unused;
  for (const SlotTrace& slot : traces_.slots) {
    if (in_place(last_) && !slot.empty() && slot.trailer.file_id == extension.file_id) {
      unused.push_back(slot.trailer.entry.next != 0 ? slot.end + extension.slot_bytes
                                                    : slot.end - extension.slot_bytes);
    }
  }
  if (extension.open_bytes != 0) {
    const std::uint64_t begin = extension.next.offset();
    unused.push_back(begin + extension.slot_bytes);
    unused.push_back(begin + 2 * std::uint64_t{extension.slot_bytes});
  }
  std::set<std::uint64_t> chunks;  // where they begin
  for (const FilePart& part : parts) {
    if (part.chunk != FilePart::kNone) {
      chunks.insert(part.begin);
    }
  }
  for (const std::uint64_t end : unused) {
    const auto chunk = chunks.lower_bound(end - std::min<std::uint64_t>(end, extension.slot_bytes));
    if (!has_slot(end) && (chunk == chunks.end() || *chunk >= end)) {
      add_slot(end, PartKind::kUnusedSlot, row_groups, parts);
    }
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
      add_part(begin, page_end, is_in_place_for_tails(begin) ? PartKind::kTailPage : PartKind::kStrayPage,
               parts);
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
