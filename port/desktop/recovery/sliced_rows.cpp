#include "sliced_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "microparquet/detail/format/magic.h"
#include "thrift_dom/page_headers.h"
#include "thrift_dom/row_group_parts.h"

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
    std::memcpy(&text, static_cast<const std::byte*>(batch.values) + i * sizeof(std::string_view),
                sizeof(std::string_view));
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
  void add_page(ByteView page, std::uint64_t values, std::uint32_t encoding = 0) {
    add(page);
    found.values += values;
    found.uncompressed_bytes += page.size();
    found.encodings |= 1U << encoding;
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
    std::uint64_t at = chunk.data_begin;
    for (const PlacedPage& page : column.pages) {
      if (list_.pages[page.page].begin != at) {
        return std::nullopt;
      }
      at = list_.pages[page.page].end;
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
    if (!add_column({group, known}, i, rows, chunk)) {
      return false;
    }
    chunk.found.end = to.file->bytes().size();
    chunks.push_back(chunk.found);
  }
  to.entries.push_back(describe_row_group(model_.row_group, chunks, rows.end - rows.begin));
  return true;
}

bool SlicedRows::add_column(const Source& from, std::size_t column, RowRange rows, Chunk& chunk) {
  const PlacedColumn& placed = from.group.columns[column];
  const RowRanges there = in_both(from.known[column], {rows});
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
    if (!add_missing(from, column, {at, range.begin}, chunk) || !add_known(from, column, range, chunk)) {
      return false;
    }
    at = range.end;
  }
  return add_missing(from, column, {at, rows.end}, chunk);
}

// Pages all of whose items are of these rows are copied; the others' items are written again, together with those of the
// pages around them that share a row with them, and where levels change.
bool SlicedRows::add_known(const Source& from, std::size_t column, RowRange rows, Chunk& chunk) {
  Items items;
  for (const PlacedPage& page : from.group.columns[column].pages) {
    const std::uint64_t first_item_row = page.first_row - (page.begins_row ? 0 : 1);
    if (first_item_row >= rows.end || page.first_row + page.rows <= rows.begin) {
      continue;
    }
    const bool inside = first_item_row >= rows.begin && page.first_row + page.rows <= rows.end;
    const bool stays =
        made_optional(column) != MadeOptional::kField && (page.begins_row || items.count() == 0);
    if (inside && stays) {
      if (!add_made(column, items, chunk)) {
        return false;
      }
      items = {};
      copy_data(list_.pages[page.page], column, chunk);
    } else if (!add_items(from, column, page, rows, items)) {
      return false;
    }
  }
  return add_made(column, items, chunk);
}

// Finds columns that show the nesting around the values of a lost one: those of the same field, the nearest
// first.
std::vector<SlicedRows::Loan> SlicedRows::loans(const Source& from, std::size_t column, RowRange rows) const {
  struct Near {
    std::size_t column;
    std::uint32_t node;
  };
  const std::vector<ColumnModel>& columns = model_.columns;
  std::vector<Near> near;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const LeafGroup* const common = i != column ? common_group(columns[i], columns[column]) : nullptr;
    if (common != nullptr) {
      near.push_back({i, common->node});  // nodes come parents first
    }
  }
  std::stable_sort(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.node > b.node; });
  std::vector<Loan> result;
  RowRanges left = {rows};
  for (const Near& each : near) {
    RowRanges rest;
    for (const RowRange& range : left) {
      std::uint64_t at = range.begin;
      for (const RowRange& part : in_both(from.known[each.column], {range})) {
        result.push_back({part, each.column});
        append_range(rest, {at, part.begin});
        at = part.end;
      }
      append_range(rest, {at, range.end});
    }
    rest.erase(std::remove_if(rest.begin(), rest.end(),
                              [](const RowRange& range) { return range.begin == range.end; }),
               rest.end());
    left = std::move(rest);
  }
  for (const RowRange& range : left) {
    result.push_back({range, column});
  }
  std::sort(result.begin(), result.end(),
            [](const Loan& a, const Loan& b) { return a.rows.begin < b.rows.begin; });
  return result;
}

// A null is as far down as the groups that another column knows to be there.
bool SlicedRows::add_missing(const Source& from, std::size_t column, RowRange rows, Chunk& chunk) {
  if (rows.begin == rows.end) {
    return true;
  }
  for (const Loan& loan : loans(from, column, rows)) {
    if (loan.column == column) {
      add_nulls(column, loan.rows.end - loan.rows.begin, chunk);
      continue;
    }
    const int more = made_optional(column) == MadeOptional::kField ? 1 : 0;
    const LeafGroup common = *common_group(model_.columns[loan.column], model_.columns[column]);
    Items items;
    const TakeItem take = [&](std::uint8_t definition, std::uint8_t repetition, const AnyBatch&,
                              std::optional<std::size_t>) {
      if (repetition <= common.repetition) {
        items.add_null(static_cast<std::uint8_t>(std::min(definition, common.definition) + more), repetition);
      }
    };
    for (const PlacedPage& page : from.group.columns[loan.column].pages) {
      const std::uint64_t first_item_row = page.first_row - (page.begins_row ? 0 : 1);
      if (first_item_row < loan.rows.end && page.first_row + page.rows > loan.rows.begin &&
          !visit_items(from, loan.column, page, loan.rows, take)) {
        return false;
      }
    }
    if (!add_made(column, items, chunk)) {
      return false;
    }
  }
  return true;
}

bool SlicedRows::visit_items(const Source& from, std::size_t column, const PlacedPage& page, RowRange rows,
                             const TakeItem& take) {
  const SchemaElement& element = model_.columns[column].element;
  std::uint64_t next_row = page.first_row;  // number of the next row that begins
  return trial_.visit(page.page, column, from.group.columns[column].dictionary, [&](const AnyBatch& batch) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < batch.level_count; ++i) {
      const std::uint8_t repetition = element.max_repetition_level != 0 ? batch.repetition_levels[i] : 0;
      const std::uint8_t definition = element.max_definition_level != 0 ? batch.definition_levels[i] : 0;
      next_row += repetition == 0 ? 1 : 0;
      const std::uint64_t row = next_row - 1;
      const bool has_value = definition == element.max_definition_level;
      if (row >= rows.begin && row < rows.end) {
        take(definition, repetition, batch, has_value ? std::optional(value) : std::nullopt);
      }
      value += has_value ? 1 : 0;
    }
  });
}

bool SlicedRows::add_items(const Source& from, std::size_t column, const PlacedPage& page, RowRange rows,
                           Items& items) {
  const SchemaElement& element = model_.columns[column].element;
  const std::uint8_t more = made_optional(column) != MadeOptional::kNothing ? 1 : 0;
  return visit_items(from, column, page, rows,
                     [&](std::uint8_t definition, std::uint8_t repetition, const AnyBatch& batch,
                         std::optional<std::size_t> value) {
                       items.add_null(static_cast<std::uint8_t>(definition + more), repetition);
                       if (value) {
                         append_values(element, batch, *value, *value + 1, items.values);
                         ++items.value_count;
                       }
                     });
}

// The element of the column in the new file.
SchemaElement SlicedRows::element_of(std::size_t column) const {
  SchemaElement element = model_.columns[column].element;
  element.max_definition_level = static_cast<std::uint8_t>(
      element.max_definition_level + (made_optional(column) != MadeOptional::kNothing ? 1 : 0));
  return element;
}

bool SlicedRows::add_made(std::size_t column, const Items& items, Chunk& chunk) const {
  constexpr std::size_t kMostBytes = 0x7FFFFFFF;
  if (items.count() == 0) {
    return true;
  }
  if (items.values.size() + 4 * items.count() > kMostBytes) {
    return false;
  }
  chunk.add_page(made_page(element_of(column), items), items.count());
  return true;
}

void SlicedRows::add_nulls(std::size_t column, std::uint64_t rows, Chunk& chunk) const {
  for (; rows != 0; rows -= std::min(rows, kMostRowsAPage)) {
    const auto part = static_cast<std::uint32_t>(std::min(rows, kMostRowsAPage));
    chunk.add_page(page_of_nulls(element_of(column), part, 0), part);
  }
}

void SlicedRows::copy_data(const ListedPage& page, std::size_t column, Chunk& chunk) {
  if (made_optional(column) == MadeOptional::kNothing) {
    copy(page, chunk);
    chunk.found.values += page.header.values;
    return;
  }
  const bool compressed = model_.columns[column].codec != CodecId::kUncompressed &&
                          (!page.second_version() || page.header.compressed);
  const Bytes body = read_bytes(view_, page.begin + page.header.header_bytes, page.header.compressed_bytes);
  const Bytes lifted = with_definition_levels(page.header, body, compressed);
  chunk.add_page(lifted, page.header.values, page.header.encoding);
  chunk.found.uncompressed_bytes += page.header.uncompressed_bytes - page.header.compressed_bytes;
}

void SlicedRows::copy(const ListedPage& page, Chunk& chunk) {
  count_page(page.header, chunk.found);
  chunk.add(read_bytes(view_, page.begin, static_cast<std::size_t>(page.end - page.begin)));
}

}  // namespace microparquet::recovery
