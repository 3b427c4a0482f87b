#include "traces.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "byte_views.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/sectors.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using detail::FooterExtension;

constexpr std::size_t kTagBytes = 4;
constexpr std::uint32_t kCrcBytes = 4;
constexpr std::uint32_t kTailBytes = 1 + format::kFileEndBytes;  // length with the stop byte
constexpr std::uint32_t kExtentBytes = 8;

// Whether the header of field 32766 ends at `end`, a list of bytes, or that of 32767, the binary that it was before.
bool is_field_header(const std::byte* end) {
  constexpr std::uint8_t kList[] = {0x09, 0xFC, 0xFF, 0x03, 0xF3};
  constexpr std::uint8_t kBinary[] = {0x08, 0xFE, 0xFF, 0x03};
  return std::memcmp(end - sizeof kList, kList, sizeof kList) == 0 ||
         std::memcmp(end - sizeof kBinary, kBinary, sizeof kBinary) == 0;
}

// The length of the extension whose bytes begin at the end of `before`: a varint after the field's header.
std::optional<std::uint32_t> length_before(ByteView before) {
  constexpr std::size_t kFieldHeader = 5;
  std::uint32_t length = 0;
  for (std::size_t bytes = 1; bytes <= 4 && bytes + kFieldHeader <= before.size(); ++bytes) {
    const std::byte* const varint = before.end() - bytes;
    if (bytes > 1 && (*varint & std::byte{0x80}) == std::byte{0}) {
      return std::nullopt;
    }
    length = length << 7 | (std::to_integer<std::uint32_t>(*varint) & 0x7F);
    if (is_field_header(varint)) {
      return length;
    }
  }
  return std::nullopt;
}

template <typename T>
T object_at(ByteView bytes, std::size_t at, std::size_t size = sizeof(T)) {
  T object = {};
  std::memcpy(&object, bytes.data() + at, size);
  return object;
}

// An extension as it stands in a file. Its checksums are yet to be compared.
struct FooterClaim {
  std::uint64_t tag;     // offset of the tag
  std::uint32_t length;  // length with its CRC
  FooterExtension extension;

  std::uint64_t crc_end() const { return tag + length; }
  std::uint64_t entries_end() const {  // end of the entries in the footer
    return std::uint64_t{extension.entries_offset} + extension.entries_bytes + extension.open_bytes;
  }
  FooterTrace footer_from(std::uint64_t begin, bool torn) const {
    const std::uint32_t columns = (length - detail::kFooterExtensionBytes - kCrcBytes) / kExtentBytes;
    return {begin, crc_end() + kTailBytes, columns, extension, torn, tag};
  }
};

constexpr std::size_t kBeforeTag = 9;

std::optional<FooterClaim> claim_at(File& file, std::uint64_t tag) {
  if (tag < kBeforeTag) {
    return std::nullopt;
  }
  const Bytes bytes = read_bytes(file, tag - kBeforeTag, kBeforeTag + detail::kFooterExtensionBytes);
  if (bytes.empty()) {
    return std::nullopt;
  }
  const auto extension = object_at<FooterExtension>(bytes, kBeforeTag, detail::kFooterExtensionBytes);
  const std::optional<std::uint32_t> length = length_before(ByteView(bytes).subspan(0, kBeforeTag));
  const std::uint32_t least = detail::kFooterExtensionBytes + kCrcBytes;
  if (extension.version != write::kFormatVersion || !length || *length < least ||
      (*length - least) % kExtentBytes != 0) {
    return std::nullopt;
  }
  return FooterClaim{tag, *length, extension};
}

// The footer as its last bytes say it; none when they are not there, or say what cannot be.
std::optional<FooterTrace> footer_by_length(File& file, const FooterClaim& claim) {
  const Bytes tail = read_bytes(file, claim.crc_end(), kTailBytes);
  if (tail.empty() || tail[0] != std::byte{0} ||
      object_at<std::uint32_t>(tail, 1 + format::kFooterLengthBytes) != format::kMagic) {
    return std::nullopt;
  }
  const std::uint64_t end = claim.crc_end() + 1;
  const std::uint64_t size = object_at<std::uint32_t>(tail, 1);
  if (size > end || size < std::uint64_t{claim.length} + 1 || claim.entries_end() > size - 1 - claim.length) {
    return std::nullopt;
  }
  return claim.footer_from(end - size, false);
}

// Whether the checksums of a footer are right.
bool genuine(File& file, const FooterTrace& trace) {
  const FooterExtension& extension = trace.extension;
  const auto size = static_cast<std::size_t>(trace.end - kTailBytes - trace.begin);
  const Bytes bytes = read_bytes(file, trace.begin, size);
  if (bytes.empty()) {
    return false;
  }
  const ByteView footer(bytes);
  const std::size_t begin = extension.entries_offset;
  const std::size_t finished = begin + extension.entries_bytes;
  const std::size_t end = finished + extension.open_bytes;
  const std::size_t crc_at = size - kCrcBytes;
  const auto part = [&](std::size_t from, std::size_t to) { return footer.subspan(from, to - from); };
  const std::uint32_t finished_crc = crc_of(0, part(begin, finished));
  return crc_of(crc_of(0, part(0, begin)), part(end, crc_at)) == object_at<std::uint32_t>(footer, crc_at) &&
         finished_crc == extension.finished_crc &&
         crc_of(finished_crc, part(finished, end)) == extension.entries_crc;
}

// Whether the trailer at `tag` is of a later version, which has its CRC in the same place.
bool is_later_record(File& file, std::uint64_t tag) {
  const Bytes bytes = read_bytes(file, tag, kTrailerBytes);
  if (bytes.empty()) {
    return false;
  }
  const ByteView view(bytes);
  return object_at<write::RecordTrailer>(view, 0).version > write::kFormatVersion &&
         crc_of(0, view.subspan(0, sizeof(write::RecordTrailer))) ==
             object_at<std::uint32_t>(view, sizeof(write::RecordTrailer));
}

// The same of the extension of a footer, which keeps its place and its first eight bytes.
bool is_later_footer(File& file, std::uint64_t tag) {
  constexpr std::size_t kVersionAt = 4;
  const Bytes bytes =
      tag >= kBeforeTag ? read_bytes(file, tag - kBeforeTag, kBeforeTag + kVersionAt + sizeof(std::uint32_t))
                        : Bytes();
  return !bytes.empty() && length_before(ByteView(bytes).subspan(0, kBeforeTag)) &&
         object_at<std::uint32_t>(bytes, kBeforeTag + kVersionAt) > write::kFormatVersion;
}

class Search {
 public:
  Search(File& file, SearchBudget& budget) : file_(file), bytes_(bytes_of(file)), budget_(budget) {}

  Traces run(const Progress& progress) {
    constexpr std::size_t kStep = 4 << 20;
    Bytes window;
    for (std::uint64_t at = 0; at < bytes_; at += kStep) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kStep + kTagBytes - 1, bytes_ - at));
      load(at, size, window);
      look(at, window);
      if (progress) {
        progress(at + size);
      }
    }
    return std::move(traces_);
  }

  // The same of a file in pieces, by the traces of its medium.
  Traces run(const Traces& medium, const std::vector<Piece>& pieces) {
    std::uint64_t offset = 0;
    for (const Piece& piece : pieces) {
      take_footers(medium, piece, offset);
      take_slots(medium, piece, offset);
      const auto& tags = medium.unexplained;
      for (auto tag = std::lower_bound(tags.begin(), tags.end(), piece.begin);
           tag != tags.end() && *tag < piece.end(); ++tag) {
        look_again(offset + (*tag - piece.begin), kTagBytes);
      }
      offset += piece.bytes;
      if (offset >= kTagBytes) {
        look_again(offset - (kTagBytes - 1), 2 * (kTagBytes - 1));  // a tag may lie in two pieces itself
      }
    }
    const auto by_tag = [](const FooterTrace& a, const FooterTrace& b) { return a.tag < b.tag; };
    std::sort(traces_.footers.begin(), traces_.footers.end(), by_tag);
    const auto by_end = [](const SlotTrace& a, const SlotTrace& b) { return a.end < b.end; };
    std::sort(traces_.slots.begin(), traces_.slots.end(), by_end);
    return std::move(traces_);
  }

 private:
  void look_again(std::uint64_t at, std::size_t bytes) {
    look(at, read_bytes(file_, at, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, bytes_ - at))));
  }

  // A footer that lies in one piece is as genuine as on the medium.
  void take_footers(const Traces& medium, const Piece& piece, std::uint64_t offset) {
    const auto& footers = medium.footers;
    auto footer = std::lower_bound(footers.begin(), footers.end(), piece.begin,
                                   [](const FooterTrace& a, std::uint64_t begin) { return a.tag < begin; });
    for (; footer != footers.end() && footer->tag < piece.end(); ++footer) {
      if (footer->begin < piece.begin || footer->end > piece.end()) {
        look_again(offset + (footer->tag - piece.begin), kTagBytes);
      } else {
        traces_.footers.push_back(*footer);
        FooterTrace& moved = traces_.footers.back();
        moved.begin = offset + (footer->begin - piece.begin);
        moved.end = offset + (footer->end - piece.begin);
        moved.tag = offset + (footer->tag - piece.begin);
      }
    }
  }

  void take_slots(const Traces& medium, const Piece& piece, std::uint64_t offset) {
    const auto& slots = medium.slots;
    auto slot = std::lower_bound(slots.begin(), slots.end(), piece.begin + kTrailerBytes,
                                 [](const SlotTrace& a, std::uint64_t end) { return a.end < end; });
    for (; slot != slots.end() && slot->end - kTrailerBytes < piece.end(); ++slot) {
      const std::uint64_t end = offset + (slot->end - piece.begin);
      if (slot->end > piece.end()) {
        look_again(end - kTrailerBytes, kTagBytes);
      } else {
        traces_.slots.push_back({end, slot->trailer});
      }
    }
  }

  // Loads bytes; sectors that cannot be read become zeros.
  void load(std::uint64_t at, std::size_t size, Bytes& window) {
    window.resize(size);
    if (file_.read_at(at, window) == Status::kOk) {
      return;
    }
    for (std::size_t done = 0; done < size; done += detail::kSectorBytes) {
      const Span<std::byte> sector(window.data() + done,
                                   std::min<std::size_t>(detail::kSectorBytes, size - done));
      if (file_.read_at(at + done, sector) != Status::kOk) {
        std::memset(sector.data(), 0, sector.size());
      }
    }
  }

  void look(std::uint64_t at, const Bytes& window) {
    const std::string_view text(reinterpret_cast<const char*>(window.data()), window.size());
    for (std::size_t i = text.find("mpq"); i != text.npos && i + 3 < text.size();
         i = text.find("mpq", i + 1)) {
      if (text[i + 3] == 'F') {
        look_at_footer(at + i);
      } else if (text[i + 3] == 'T') {
        traces_.tails.push_back(at + i);
      } else if (text[i + 3] == 'R') {
        if (const auto slot = slot_before(file_, at + i + kTrailerBytes)) {
          traces_.slots.push_back(*slot);
        } else {
          traces_.unexplained.push_back(at + i);
          traces_.later_version = traces_.later_version || is_later_record(file_, at + i);
        }
      }
    }
  }

  void look_at_footer(std::uint64_t tag) {
    const auto claim = claim_at(file_, tag);
    if (!claim) {
      traces_.unexplained.push_back(tag);
      traces_.later_version = traces_.later_version || is_later_footer(file_, tag);
      return;
    }
    auto footer = footer_by_length(file_, *claim);
    if (!footer || !believed(*footer)) {
      footer = find_footer(*claim);
    }
    if (footer) {
      traces_.footers.push_back(*footer);
    } else {
      traces_.unexplained.push_back(tag);
    }
  }

  // Genuine footers do not overlap, and few are torn. What claims more bytes than that is made to cost time.
  bool believed(const FooterTrace& footer) {
    const std::uint64_t bytes = footer.end - footer.begin;
    if (bytes > budget_.to_sum) {
      return false;
    }
    budget_.to_sum -= bytes;
    return genuine(file_, footer);
  }

  // Returns where a count of row groups may begin. On a medium megabytes are passed for each footer that lies in two pieces.
  static std::vector<std::size_t> lists_in(ByteView bytes) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i + kRowGroupCountBytes <= bytes.size(); ++i) {
      const std::size_t left = bytes.size() - kRowGroupCountBytes + 1 - i;
      const void* const found = std::memchr(bytes.data() + i, std::to_integer<int>(kRowGroupList), left);
      if (found == nullptr) {
        break;
      }
      i = static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data());
      places.push_back(i);
    }
    return places;
  }

  // The footer whose length is lost: it begins where its row groups are counted as far in as the extension says, and its
  // checksums are right.
  std::optional<FooterTrace> find_footer(const FooterClaim& claim) {
    constexpr std::uint64_t kStep = 64 << 10;
    const std::uint64_t head = claim.extension.entries_offset;
    const std::uint64_t count = claim.extension.row_groups + (claim.extension.open_bytes != 0 ? 1ULL : 0ULL);
    if (head <= kRowGroupCountBytes || claim.entries_end() > claim.tag - kBeforeTag) {
      return std::nullopt;
    }
    // The list's header stands at `begin` + head - kRowGroupCountBytes.
    std::uint64_t last = claim.tag - kBeforeTag - claim.entries_end();
    const std::uint64_t first = last - std::min(last, kMostAfterEntries);
    while (last >= first) {
      const std::uint64_t from = last - std::min(last - first, kStep);
      const auto size = static_cast<std::size_t>(last - from + kRowGroupCountBytes);
      if (size > budget_.to_search) {
        return std::nullopt;
      }
      budget_.to_search -= size;
      const Bytes bytes = read_bytes(file_, from + head - kRowGroupCountBytes, size);
      const std::vector<std::size_t> places = lists_in(bytes);
      for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (counts_row_groups(ByteView(bytes).subspan(*place, kRowGroupCountBytes), count)) {
          const FooterTrace footer = claim.footer_from(from + *place, true);
          if (believed(footer)) {
            return footer;
          }
        }
      }
      if (from == first) {
        break;
      }
      last = from - 1;
    }
    return std::nullopt;
  }

  static constexpr std::uint64_t kMostAfterEntries = 4 << 20;  // key-values, above all

  File& file_;
  std::uint64_t bytes_;
  SearchBudget& budget_;
  Traces traces_;
};

}  // namespace

SearchBudget::SearchBudget(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 64 << 20;
  to_sum = 4 * bytes + kLeast;
  to_search = to_sum;
}

Traces find_traces(File& file, const Progress& progress) {
  SearchBudget budget(bytes_of(file));
  return Search(file, budget).run(progress);
}

MediumTraces::MediumTraces(File& medium, const Progress& progress)
    : all_(find_traces(medium, progress)), budget_(bytes_of(medium)) {}

Traces MediumTraces::of(View& file, const std::vector<Piece>& pieces) {
  return Search(file, budget_).run(all_, pieces);
}

std::optional<FooterTrace> last_footer(File& file) {
  const std::uint64_t size = bytes_of(file);
  const Bytes tail = size > kTailBytes ? read_bytes(file, size - kTailBytes, kTailBytes) : Bytes();
  if (tail.empty() || object_at<std::uint32_t>(tail, 1) > size - kTailBytes) {
    return std::nullopt;
  }
  const std::uint32_t bytes = object_at<std::uint32_t>(tail, 1);
  const std::uint64_t begin = size - kTailBytes + 1 - bytes;
  const Bytes footer = read_bytes(file, begin, bytes);
  const std::string_view text(reinterpret_cast<const char*>(footer.data()), footer.size());
  for (std::size_t tag = text.rfind("mpqF"); tag != text.npos;
       tag = tag != 0 ? text.rfind("mpqF", tag - 1) : text.npos) {
    const auto claim = claim_at(file, begin + tag);
    const auto trace = claim ? footer_by_length(file, *claim) : std::nullopt;
    if (trace && trace->end == size) {
      return genuine(file, *trace) ? trace : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> dictionaries_crc(File& file, const SlotTrace& slot, std::uint64_t begin) {
  const write::RecordTrailer& trailer = slot.trailer;
  const std::uint64_t at = begin + trailer.entry.bytes;
  if (slot.empty() || at + sizeof(write::DictionaryProof) + kTrailerBytes > slot.end) {
    return std::nullopt;
  }
  const Bytes bytes = read_bytes(file, at, sizeof(write::DictionaryProof));
  if (bytes.empty()) {
    return std::nullopt;
  }
  const auto proof = object_at<write::DictionaryProof>(bytes, 0);
  const bool sealed =
      proof.seal == write::seal_of(proof.crc, trailer.entry.crc, trailer.file_id, trailer.sequence);
  return sealed ? std::optional(proof.crc) : std::nullopt;
}

std::optional<SlotTrace> slot_before(File& file, std::uint64_t end) {
  const Bytes bytes = end >= kTrailerBytes ? read_bytes(file, end - kTrailerBytes, kTrailerBytes) : Bytes();
  if (bytes.empty()) {
    return std::nullopt;
  }
  const ByteView view(bytes);
  const auto trailer = object_at<write::RecordTrailer>(view, 0);
  const auto crc = object_at<std::uint32_t>(view, sizeof trailer);
  if (trailer.tag != write::kRecordTag || trailer.version != write::kFormatVersion ||
      crc_of(0, view.subspan(0, sizeof trailer)) != crc) {
    return std::nullopt;
  }
  return SlotTrace{end, trailer};
}

namespace {

constexpr std::uint32_t kLargerBlocks[] = {4096, 2048, 1024};
constexpr std::uint64_t kFirstFooter = 4;  // stands where it stands, whatever the blocks

bool is_placed_by(const FooterTrace& trace, std::uint32_t block) {
  const detail::FooterExtension& e = trace.extension;
  const std::uint64_t places =
      e.next.offset() | e.segment_end.offset() | e.free_begin.offset() | e.free_end.offset() | trace.end;
  const bool in_place = trace.columns != 0;
  return places % block == 0 && (!in_place || e.slot_bytes % block == 0);
}

// In place a footer begins on a sector, unless it has to end on a larger block.
bool shows_larger_blocks(const FooterTrace& trace) {
  return trace.columns == 0 || trace.begin % detail::kSectorBytes != 0;
}

}  // namespace

std::uint32_t block_bytes_of(const Traces& traces, std::uint32_t file_id) {
  std::vector<FooterTrace> later;
  std::copy_if(traces.footers.begin(), traces.footers.end(), std::back_inserter(later),
               [&](const FooterTrace& trace) {
                 return trace.extension.file_id == file_id && trace.begin != kFirstFooter;
               });
  if (std::none_of(later.begin(), later.end(), shows_larger_blocks)) {
    return detail::kSectorBytes;
  }
  for (const std::uint32_t block : kLargerBlocks) {
    if (std::all_of(later.begin(), later.end(),
                    [&](const FooterTrace& trace) { return is_placed_by(trace, block); })) {
      return block;
    }
  }
  return detail::kSectorBytes;
}

}  // namespace microparquet::recovery
