#include "file_map.h"

#include <algorithm>
#include <map>
#include <utility>

#include "chunk_pages.h"
#include "history.h"
#include "microparquet/detail/format/magic.h"
#include "own_parts.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using format::kMagicBytes;

// The bytes of a Bloom filter with its header, which says how many follow it.
std::uint64_t bloom_filter_bytes(File& file, const Place& place, std::uint64_t limit) {
  constexpr std::uint64_t kHeaderBytes = 64;
  if (place.bytes != 0 || place.offset == 0 || place.offset >= limit) {
    return place.bytes;
  }
  const Bytes bytes =
      read_bytes(file, place.offset, static_cast<std::size_t>(std::min(kHeaderBytes, limit - place.offset)));
  return bloom_filter_at(bytes);
}

// A copy of what the footer says of a column chunk, which some writers leave after its pages: ColumnMetaData,
// or the ColumnChunk around it. `usual`: about as long as the one in the footer.
Place metadata_copy(File& file, const ChunkPlaces& places, std::size_t usual, std::uint64_t limit) {
  constexpr std::uint64_t kSlack = 64;
  const ColumnChunkInfo& info = places.info;
  const std::uint64_t offset = std::max(places.file_offset, begin_of(info) + info.compressed_bytes);
  if (offset >= limit) {
    return {};
  }
  const Bytes bytes =
      read_bytes(file, offset, static_cast<std::size_t>(std::min(usual + kSlack, limit - offset)));
  const std::size_t used = metadata_copy_bytes(bytes, info);
  return used != 0 ? Place{offset, used} : Place{};
}

class Mapping {
 public:
  Mapping(File& file, std::uint64_t footer_begin)
      : file_(file), bytes_(bytes_of(file)), footer_begin_(footer_begin) {}

  std::optional<FileMap> run(const Progress& progress) {
    auto footer =
        parse_footer(read_bytes(file_, footer_begin_, static_cast<std::size_t>(bytes_ - 8 - footer_begin_)));
    if (!footer) {
      return std::nullopt;
    }
    add(0, kMagicBytes, PartKind::kMagic);
    FilePart& last = add(footer_begin_, bytes_, PartKind::kFooter);
    last.rows = footer->rows;
    const std::optional<FooterTrace> trace = last_footer(file_);
    if (trace) {
      add_own(*trace, progress);
    } else {
      for (std::size_t i = 0; i < footer->entries.size(); ++i) {
        add_row_group(footer->entries[i], i, PartKind::kChunk);
      }
    }
    footer.reset();
    place_parts();
    name_gaps();
    return std::move(map_);
  }

 private:
  FilePart& add(std::uint64_t begin, std::uint64_t end, PartKind kind) {
    FilePart& part = map_.parts.emplace_back();
    part.begin = begin;
    part.end = std::min(end, bytes_);
    part.kind = kind;
    return part;
  }

  // In a file of microparquet records may describe row groups that the footer does not, or more rows of its
  // last one.
  void add_own(const FooterTrace& trace, const Progress& progress) {
    const OwnParts& own = own_.emplace(file_, trace, progress);
    for (std::size_t i = 0; i < own.row_groups().size(); ++i) {
      const RowGroupHistory& row_group = own.row_groups()[i];
      const bool recorded = row_group.described.source == Source::kRecord;
      const std::size_t first = map_.parts.size();
      add_before(row_group, i);
      const std::size_t middle = map_.parts.size();
      if (row_group.described.head) {
        add_saved(*row_group.described.head, i);
      } else {
        add_row_group(row_group.described.entry, i, recorded ? PartKind::kRecordedChunk : PartKind::kChunk);
      }
      shorten(first, middle);
    }
    own.add_parts(map_.parts);
  }

  // What describes fewer rows of a row group.
  void add_before(const RowGroupHistory& row_group, std::size_t number) {
    for (const RowGroupHistory& before : row_group.before) {
      add_before(before, number);
      add_row_group(before.described.entry, number,
                    before.described.source == Source::kRecord ? PartKind::kRecordedChunk : PartKind::kChunk);
    }
  }

  // The pages that a head names.
  void add_saved(const TailHead& head, std::size_t number) {
    for (std::uint32_t column = 0; column < head.columns.size(); ++column) {
      const TailColumn& kept = head.columns[column];
      add_saved_pages(kept.stored, kept.first_row, number, column);
      add_saved_pages(kept.open, head.rows - kept.first_row, number, column);
    }
  }

  void add_saved_pages(const Piece& pages, std::uint64_t rows, std::size_t number, std::uint32_t column) {
    ColumnChunkInfo info;
    info.data_page_offset = pages.begin;
    info.compressed_bytes = pages.bytes;
    info.values = rows;
    const std::size_t added = map_.parts.size();
    add_chunk(info, PartKind::kSavedChunk, rows);
    for (std::size_t i = added; i < map_.parts.size(); ++i) {
      map_.parts[i].row_group = static_cast<std::uint32_t>(number);
      map_.parts[i].column = column;
    }
  }

  // Takes from the column chunks in parts from `middle` on the pages that those in [first, middle) have already, which are of the same
  // row group.
  void shorten(std::size_t first, std::size_t middle) {
    std::map<std::uint64_t, std::size_t> known;  // parts by where their pages begin
    for (std::size_t i = first; i < middle; ++i) {
      const FilePart& part = map_.parts[i];
      if (part.chunk != FilePart::kNone && part.begin < part.end) {
        known.emplace(part.begin, i);
      }
    }
    for (std::size_t i = middle; i < map_.parts.size(); ++i) {
      FilePart& longer = map_.parts[i];
      auto same = known.find(longer.begin);
      while (longer.chunk != FilePart::kNone && same != known.end() &&
             shorten(longer, map_.parts[same->second])) {
        same = known.find(longer.begin);
      }
    }
  }

  // False: the pages of `shorter` are not its first ones.
  bool shorten(FilePart& longer, const FilePart& shorter) {
    ColumnChunkInfo& info = map_.chunks[longer.chunk];
    const std::uint64_t values = map_.chunks[shorter.chunk].values;
    if (longer.column != shorter.column || longer.end < shorter.end || info.values < values) {
      return false;
    }
    longer.begin = shorter.end;
    info.data_page_offset = longer.begin;
    info.dictionary_page_offset = 0;
    info.values -= values;
    return true;
  }

  void add_row_group(ByteView entry, std::size_t number, PartKind kind) {
    const auto parts = take_apart(entry);
    for (std::size_t column = 0; parts && column < parts->columns.size(); ++column) {
      const ByteView chunk = parts->columns[column];
      if (const auto places = places_of(chunk); places && !places->elsewhere) {
        const std::size_t first = map_.parts.size();
        add_chunk(places->info, kind, parts->rows);
        if (!own_) {
          const Place copy = metadata_copy(file_, *places, chunk.size(), footer_begin_);
          add_place(copy.offset, copy.bytes, PartKind::kColumnMetadata);
        }
        add_place(places->column_index.offset, places->column_index.bytes, PartKind::kColumnIndex);
        add_place(places->offset_index.offset, places->offset_index.bytes, PartKind::kOffsetIndex);
        add_place(places->bloom_filter.offset, bloom_filter_bytes(file_, places->bloom_filter, footer_begin_),
                  PartKind::kBloomFilter);
        for (std::size_t i = first; i < map_.parts.size(); ++i) {
          map_.parts[i].row_group = static_cast<std::uint32_t>(number);
          map_.parts[i].column = static_cast<std::uint32_t>(column);
        }
      }
    }
  }

  void add_chunk(ColumnChunkInfo info, PartKind kind, std::uint64_t rows) {
    std::uint64_t begin = begin_of(info);
    if (const auto saved = own_ ? own_->place_in_save(begin) : std::nullopt) {
      info.data_page_offset = info.data_page_offset - begin + *saved;
      if (info.dictionary_page_offset != 0) {
        info.dictionary_page_offset = info.dictionary_page_offset - begin + *saved;
      }
      begin = *saved;
      kind = PartKind::kSavedChunk;
    }
    if (begin < kMagicBytes || begin >= footer_begin_) {
      return;  // one without values need not be anywhere
    }
    FilePart& part = add(begin, begin + std::min(info.compressed_bytes, footer_begin_ - begin), kind);
    part.chunk = static_cast<std::uint32_t>(map_.chunks.size());
    part.rows = rows;
    map_.chunks.push_back(info);
  }

  void add_place(std::uint64_t offset, std::uint64_t bytes, PartKind kind) {
    if (offset != 0 && offset < footer_begin_) {
      add(offset, offset + std::min(bytes, footer_begin_ - offset), kind);
    }
  }

  // Sorts the parts. What begins inside another part is left out, but for the rest of a column chunk.
  void place_parts() {
    std::stable_sort(map_.parts.begin(), map_.parts.end(),
                     [](const FilePart& a, const FilePart& b) { return a.begin < b.begin; });
    std::uint64_t position = 0;
    std::size_t kept = 0;
    for (FilePart part : map_.parts) {
      if (part.begin < position && part.chunk != FilePart::kNone) {
        part.begin = position;
        part.kind = PartKind::kOverlap;
      }
      if (part.begin >= position && part.begin < part.end) {
        position = part.end;
        map_.parts[kept++] = part;
      }
    }
    map_.parts.resize(kept);
  }

  // Calls `visit(begin, end)` for the bytes between the parts, which are sorted. What it adds to `map_.parts`
  // is sorted in afterwards.
  template <typename Visit>
  void visit_gaps(Visit visit) {
    const std::size_t count = map_.parts.size();
    std::uint64_t position = 0;
    for (std::size_t i = 0; i <= count; ++i) {
      const std::uint64_t end = i < count ? map_.parts[i].begin : bytes_;
      if (position < end) {
        visit(position, end);
      }
      position = i < count ? map_.parts[i].end : end;
    }
    place_parts();
  }

  void name_gaps() {
    if (own_) {
      visit_gaps(
          [this](std::uint64_t begin, std::uint64_t end) { own_->add_stray_pages(begin, end, map_.parts); });
    }
    visit_gaps([this](std::uint64_t begin, std::uint64_t end) {
      while (begin < end) {
        const Reserved here = own_ ? own_->reserved_at(begin) : Reserved{false, end};
        const std::uint64_t stop = std::min(here.end, end);
        add(begin, stop,
            here.reserved          ? PartKind::kFree
            : is_zero(begin, stop) ? PartKind::kZeros
                                   : PartKind::kDead);
        begin = stop;
      }
    });
  }

  bool is_zero(std::uint64_t begin, std::uint64_t end) const {
    constexpr std::uint64_t kPiece = 64 << 10;
    for (; begin < end; begin += kPiece) {
      const Bytes bytes = read_bytes(file_, begin, static_cast<std::size_t>(std::min(kPiece, end - begin)));
      if (bytes.empty() ||
          std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; })) {
        return false;
      }
    }
    return true;
  }

  File& file_;
  std::uint64_t bytes_;
  std::uint64_t footer_begin_;
  std::optional<OwnParts> own_;
  FileMap map_;
};

}  // namespace

std::optional<FileMap> map_file(File& file, std::uint64_t footer_begin, const Progress& progress) {
  return Mapping(file, footer_begin).run(progress);
}

}  // namespace microparquet::recovery
