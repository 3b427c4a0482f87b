#include "result.h"

#include <algorithm>
#include <vector>

#include "microparquet/detail/sectors.h"
#include "thrift_dom/row_group_parts.h"

namespace microparquet::recovery {

std::size_t Result::row_groups() const {
  std::size_t count = 0;
  for (const ResultPart& part : parts) {
    count += part.rows ? part.rows->entries.size() : 1;
  }
  return count;
}

namespace {

// Whether pages of the row group are shown by the view alone: what a stream has saved, where it belongs. Entries of many
// columns take much memory, and most files have no such pages.
bool is_shown_only(const View& view, const Bytes& entry) {
  if (!view.has_replaced()) {
    return false;
  }
  const std::vector<Piece> chunks = chunks_of(entry);
  return std::any_of(chunks.begin(), chunks.end(),
                     [&view](const Piece& chunk) { return chunk.bytes != 0 && view.stored(chunk).empty(); });
}

}  // namespace

Result make_result(View& view, const Found& found, const Progress& progress) {
  Result result;
  std::uint64_t done = 0;
  for (const KeptRowGroup& kept : found.proof.kept) {
    const std::uint64_t rows = rows_in(kept.rows);
    if (kept.whole) {
      result.parts.push_back(
          {kept.entry, std::nullopt, kept.mended || kept.gathered || is_shown_only(view, kept.entry)});
      result.rows += rows;
      continue;
    }
    if (progress) {
      progress(++done);
    }
    auto written = write_again(view, found.fields, kept);
    if (!written) {
      result.rows_given_up += rows;
      continue;
    }
    result.parts.push_back({{}, std::move(written)});
    result.rows += rows;
  }
  return result;
}

namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

class Addition {
 public:
  Addition(View& view, const Found& found) : view_(view), begin_(view.bytes()), found_(found) {
    // A torn write takes the blocks it touches with it: none that the file has used.
    if (found.own && found.own->block_bytes > detail::kSectorBytes) {
      pad_to(round_up(begin_, found.own->block_bytes));
    }
  }

  AddedEnd run(const Result& result) {
    for (const ResultPart& part : result.parts) {
      if (part.rows) {
        const auto& rows = *part.rows;
        for (const Bytes& entry : rows.entries) {
          add_pages(*rows.file, entry);
        }
      } else if (part.only_in_view) {
        add_pages(view_, part.entry);
      } else {
        entries_.push_back(part.entry);
      }
    }
    return add_footer();
  }

 private:
  std::uint64_t end() const { return begin_ + bytes_.size(); }

  void pad_to(std::uint64_t place) { bytes_.resize(static_cast<std::size_t>(place - begin_)); }

  void add_pages(File& from, const Bytes& entry) {
    MovedRowGroup moved = move_row_group(entry, end());
    for (const Piece& piece : moved.pieces) {
      append(bytes_, read_bytes(from, piece.begin, static_cast<std::size_t>(piece.bytes)));
    }
    entries_.push_back(std::move(moved.entry));
  }

  // The offset that src/FORMAT.md gives a footer of this length.
  std::uint64_t footer_place(std::uint64_t bytes) const {
    if (!found_.own) {
      return end();
    }
    if (found_.own->block_bytes > detail::kSectorBytes) {
      return round_up(end() + bytes, found_.own->block_bytes) - bytes;
    }
    return found_.own->columns != 0 ? round_up(end(), detail::kSectorBytes) : end();
  }

  AddedEnd add_footer() {
    auto own = found_.own;
    Bytes footer = build_footer(found_.fields, entries_, own);
    const std::uint64_t at = footer_place(footer.size());
    if (own && own->columns != 0) {
      own->next = detail::SectorIndex::of(at - detail::BlockSize(own->block_bytes).inside(at));
      footer = build_footer(found_.fields, entries_, own);
    }
    pad_to(at);
    append(bytes_, footer);
    return {std::move(bytes_), at, footer.size()};
  }

  View& view_;
  std::uint64_t begin_;
  const Found& found_;
  Bytes bytes_;
  std::vector<Bytes> entries_;
};

}  // namespace

AddedEnd added_end(View& view, const Found& found, const Result& result) {
  return Addition(view, found).run(result);
}

}  // namespace microparquet::recovery
