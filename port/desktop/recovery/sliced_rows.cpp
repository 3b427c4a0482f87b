#include "sliced_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "format/found_row_group.h"
#include "made_page.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/encoding_id.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint64_t kMostRowsAPage = 1 << 30;

// Appends the values of a batch from `begin` to `end`.
void append_values(const SchemaElement& element, const AnyBatch& batch, std::size_t begin, std::size_t end,
                   Bytes& out) {
  if (element.type != Type::kByteArray) {
    const std::size_t stride = value_bytes(element.type, element.type_length);
    append(out, {static_cast<const std::byte*>(batch.values) + begin * stride, (end - begin) * stride});
    return;
  }
  for (std::size_t i = begin; i < end; ++i) {
    std::string_view text;
    std::memcpy(&text, static_cast<const std::byte*>(batch.values) + i * sizeof text, sizeof text);
    const auto length = static_cast<std::uint32_t>(text.size());
    append(out, {reinterpret_cast<const std::byte*>(&length), sizeof length});
    append(out, {reinterpret_cast<const std::byte*>(text.data()), text.size()});
  }
}

void count_page(const format::PageHeader& header, FoundChunk& chunk) {
  chunk.uncompressed_bytes += std::uint64_t{header.header_bytes} + header.uncompressed_bytes;
  chunk.encodings |= 1U << header.encoding;
}

}  // namespace

// A column chunk that is being put together.
struct SlicedRows::Chunk {
  MemoryMedium& file;
  FoundChunk found = {};

  void add(ByteView bytes) { static_cast<void>(file.write_at(file.bytes().size(), bytes)); }
  void add_page(ByteView page, std::uint64_t values) {
    add(page);
    found.values += values;
    found.uncompressed_bytes += page.size();
    found.encodings |= 1U << static_cast<unsigned>(EncodingId::kPlain);
  }
};

bool SlicedRows::adjacent(const PlacedPage& a, const PlacedPage& b) {
  return b.page == a.page + 1 && b.first_row == a.first_row + a.rows;
}

// Pages of the first version may end within a row; then the rest of it is in the next page, or lost.
RowRanges SlicedRows::rows_of(const PlacedColumn& column, const ColumnModel& model) const {
  RowRanges ranges;
  const bool lists = model.element.max_repetition_level != 0;
  for (std::size_t begin = 0, end = 0; begin < column.pages.size(); begin = end) {
    for (end = begin + 1; end < column.pages.size() && adjacent(column.pages[end - 1], column.pages[end]);
         ++end) {
    }
    const PlacedPage& last = column.pages[end - 1];
    const bool at_end =
        end == column.pages.size() &&
        (column.ends || (last.page + 1 == list_.pages.size() && !list_.cut && list_.end < view_.bytes()));
    const bool open_row = lists && !at_end && !list_.pages[last.page].second_version();
    const std::uint64_t rows_end = last.first_row + last.rows;
    const RowRange rows = {column.pages[begin].first_row, rows_end - (open_row && rows_end != 0 ? 1 : 0)};
    if (rows.begin < rows.end) {
      append_range(ranges, rows);
    }
  }
  return ranges;
}

std::optional<Bytes> SlicedRows::as_it_is(const PlacedRowGroup& group) const {
  std::vector<FoundChunk> chunks;
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    const PlacedColumn& column = group.columns[i];
    const RowRanges rows = rows_of(column, model_.columns[i]);
    if (group.rows == 0 || rows.size() != 1 || rows[0].begin != 0 || rows[0].end != group.rows) {
      return std::nullopt;
    }
    FoundChunk chunk;
    chunk.data_begin = chunk.begin = list_.pages[column.pages.front().page].begin;
    chunk.end = list_.pages[column.pages.back().page].end;
    if (column.dictionary != kNoPage) {
      if (column.dictionary + 1 != column.pages.front().page ||
          list_.pages[column.pages.front().page].after_gap) {
        return std::nullopt;
      }
      chunk.begin = list_.pages[column.dictionary].begin;
      count_page(list_.pages[column.dictionary].header, chunk);
    }
    for (const PlacedPage& page : column.pages) {
      count_page(list_.pages[page.page].header, chunk);
      chunk.values += list_.pages[page.page].header.values;
    }
    chunks.push_back(chunk);
  }
  return describe_row_group(model_.row_group, chunks, group.rows);
}

bool SlicedRows::add(const PlacedRowGroup& group, const std::vector<RowRanges>& known, RowRange rows,
                     WrittenRows& to) {
  if (to.file->bytes().empty()) {
    const Bytes magic(format::kMagicBytes);
    static_cast<void>(to.file->write_at(0, magic));
  }
  std::vector<FoundChunk> chunks;
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    Chunk chunk{*to.file};
    chunk.found.begin = chunk.found.data_begin = to.file->bytes().size();
    if (!add_column(i, group.columns[i], known[i], rows, chunk)) {
      return false;
    }
    chunk.found.end = to.file->bytes().size();
    chunks.push_back(chunk.found);
  }
  to.entries.push_back(describe_row_group(model_.row_group, chunks, rows.end - rows.begin));
  return true;
}

bool SlicedRows::add_column(std::size_t column, const PlacedColumn& placed, const RowRanges& known,
                            RowRange rows, Chunk& chunk) {
  const RowRanges there = in_both(known, {rows});
  const bool dictionary = placed.dictionary != kNoPage &&
                          std::any_of(placed.pages.begin(), placed.pages.end(), [&](const PlacedPage& page) {
                            return list_.pages[page.page].uses_dictionary();
                          });
  if (dictionary && !there.empty()) {
    copy(list_.pages[placed.dictionary], chunk);
    chunk.found.data_begin = chunk.file.bytes().size();
  }
  std::uint64_t at = rows.begin;
  for (const RowRange& range : there) {
    add_nulls(column, range.begin - at, chunk);
    if (!add_known(column, placed, range, chunk)) {
      return false;
    }
    at = range.end;
  }
  add_nulls(column, rows.end - at, chunk);
  return true;
}

// Pages all of whose items are of these rows are copied; the others' items are written again, together with those of the
// pages around them that share a row with them.
bool SlicedRows::add_known(std::size_t column, const PlacedColumn& placed, RowRange rows, Chunk& chunk) {
  const auto first_item_row = [](const PlacedPage& page) {
    return page.first_row - (page.begins_row ? 0 : 1);
  };
  Items items;
  for (std::size_t i = 0; i < placed.pages.size(); ++i) {
    const PlacedPage& page = placed.pages[i];
    if (first_item_row(page) >= rows.end || page.first_row + page.rows <= rows.begin) {
      continue;
    }
    const bool inside = first_item_row(page) >= rows.begin && page.first_row + page.rows <= rows.end;
    if (inside && (page.begins_row || items.count() == 0)) {
      if (!add_made(column, items, chunk)) {
        return false;
      }
      items = {};
      copy(list_.pages[page.page], chunk);
      chunk.found.values += list_.pages[page.page].header.values;
      continue;
    }
    if (!add_items(column, placed, page, rows, items)) {
      return false;
    }
  }
  return add_made(column, items, chunk);
}

bool SlicedRows::add_items(std::size_t column, const PlacedColumn& placed, const PlacedPage& page,
                           RowRange rows, Items& items) {
  const SchemaElement& element = model_.columns[column].element;
  std::uint64_t next_row = page.first_row;  // of the next item that begins one
  return trial_.visit(page.page, column, placed.dictionary, [&](const AnyBatch& batch) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < batch.level_count; ++i) {
      const std::uint8_t repetition = element.max_repetition_level != 0 ? batch.repetition_levels[i] : 0;
      const std::uint8_t definition = element.max_definition_level != 0 ? batch.definition_levels[i] : 0;
      next_row += repetition == 0 ? 1 : 0;
      const std::uint64_t row = next_row - 1;
      const bool has_value = definition == element.max_definition_level;
      if (row >= rows.begin && row < rows.end) {
        items.add_null(definition, repetition);
        if (has_value) {
          append_values(element, batch, value, value + 1, items.values);
          ++items.value_count;
        }
      }
      value += has_value ? 1 : 0;
    }
  });
}

bool SlicedRows::add_made(std::size_t column, const Items& items, Chunk& chunk) const {
  constexpr std::size_t kMostBytes = 0x7FFFFFFF;
  const SchemaElement& element = model_.columns[column].element;
  if (items.count() == 0) {
    return true;
  }
  if (items.values.size() + 4 * items.count() > kMostBytes) {
    return false;
  }
  chunk.add_page(made_page(element, items), items.count());
  return true;
}

void SlicedRows::add_nulls(std::size_t column, std::uint64_t rows, Chunk& chunk) const {
  for (; rows != 0; rows -= std::min(rows, kMostRowsAPage)) {
    const auto part = static_cast<std::uint32_t>(std::min(rows, kMostRowsAPage));
    chunk.add_page(page_of_nulls(model_.columns[column].element, part, 0), part);
  }
}

void SlicedRows::copy(const ListedPage& page, Chunk& chunk) {
  count_page(page.header, chunk.found);
  chunk.add(read_bytes(view_, page.begin, static_cast<std::size_t>(page.end - page.begin)));
}

}  // namespace microparquet::recovery
