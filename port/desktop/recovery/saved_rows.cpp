#include "saved_rows.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "chunk_pages.h"
#include "chunk_statistics.h"
#include "open_file.h"
#include "thrift_dom/row_group_parts.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

// Appends the pages of a column to `bytes`, of which the first will lie at `base`. None: they do not hold.
std::optional<FoundChunk> gather_column(View& view, const TailColumn& column, std::uint64_t base,
                                        std::uint32_t rows, Bytes& bytes, Bytes& memory) {
  FoundChunk chunk;
  chunk.begin = base + bytes.size();
  const Piece pieces[] = {column.stored, column.open};
  for (const Piece& piece : pieces) {
    const Bytes pages = read_bytes(view, piece.begin, static_cast<std::size_t>(piece.bytes));
    if (pages.size() != piece.bytes) {
      return std::nullopt;
    }
    ColumnChunkInfo info;
    info.data_page_offset = piece.begin;
    info.compressed_bytes = piece.bytes;
    info.values = ~std::uint64_t{0};
    const ChunkPages found = find_pages(view, info, {}, memory);
    if (!found.damage.empty() || !found.unknown.empty() || found.checksums != found.count) {
      return std::nullopt;
    }
    chunk.values += found.values;
    chunk.uncompressed_bytes += found.uncompressed_bytes;
    chunk.encodings |= found.encodings;
    append(bytes, pages);
    if (&piece == pieces && found.values != column.first_row) {
      return std::nullopt;
    }
  }
  chunk.end = base + bytes.size();
  chunk.data_begin = chunk.begin;
  return chunk.values == rows ? std::optional(chunk) : std::nullopt;
}

class Gathering {
 public:
  Gathering(View& view, const std::vector<FooterField>& fields)
      : view_(view), leaves_(leaves_of(fields)), model_(model_of(leaves_)) {}

  std::vector<RowGroupHistory> gather(std::vector<RowGroupHistory>&& row_groups) {
    std::vector<RowGroupHistory> gathered;
    for (RowGroupHistory& row_group : row_groups) {
      row_group.before = gather(std::move(row_group.before));
      if (row_group.described.source != Source::kHead || gather(row_group.described)) {
        gathered.push_back(std::move(row_group));
      } else {
        std::move(row_group.before.begin(), row_group.before.end(), std::back_inserter(gathered));
      }
    }
    return gathered;
  }

 private:
  // False: its pages do not hold.
  bool gather(Described& described) {
    const TailHead& head = *described.head;
    if (!model_ || leaves_.size() != head.columns.size()) {
      return false;
    }
    Bytes bytes;
    std::vector<FoundChunk> chunks;
    for (const TailColumn& column : head.columns) {
      const auto chunk = gather_column(view_, column, view_.added_end(), head.rows, bytes, memory_);
      if (!chunk) {
        return false;
      }
      chunks.push_back(*chunk);
    }
    view_.add(bytes);
    described.entry =
        with_statistics(view_, leaves_, describe_row_group(*model_, chunks, head.rows), head.rows);
    return true;
  }

  View& view_;
  std::vector<Leaf> leaves_;
  std::optional<ThriftValue> model_;
  Bytes memory_;
};

}  // namespace

void gather_saved_rows(View& view, const std::vector<FooterField>& fields,
                       std::vector<RowGroupHistory>& row_groups) {
  const bool any = std::any_of(row_groups.begin(), row_groups.end(), [](const RowGroupHistory& row_group) {
    return row_group.described.source == Source::kHead;
  });
  if (any) {
    row_groups = Gathering(view, fields).gather(std::move(row_groups));
  }
}

}  // namespace microparquet::recovery
