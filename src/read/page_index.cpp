#include "read/page_index.h"

#include "base/try.h"
#include "format/page_index_reader.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/page_filter.h"
#include "microparquet/page_index.h"
#include "microparquet/size_statistics.h"
#include "read/footer.h"
#include "read/page.h"
#include "read/rows.h"
#include "values/value_bytes.h"
#include "values/value_order.h"

namespace microparquet::read {

// find_chunk() walks the entries, continuing from the last one.
Status enter_entry(detail::ReaderState& state, std::uint32_t column) {
  MICROPARQUET_TRY(find_chunk(state, column));
  state.footer.seek(state.chunk.begin, state.footer_begin + state.footer_bytes);
  return Status::kOk;
}

Status find_index_places(detail::ReaderState& state, std::uint32_t column, format::IndexPlaces& places) {
  MICROPARQUET_TRY(enter_entry(state, column));
  thrift::CompactReader in(state.footer);
  format::read_index_places(in, places);
  const Status status = as_no_index(in.status());
  if (status != Status::kEnd) return status;
  places = {};
  return Status::kOk;
}

bool enter_index(detail::ReaderState& state, const format::IndexPlace& place) {
  const std::uint64_t end = state.footer_begin;
  if (place.bytes == 0 || place.offset < format::kMagicBytes || place.offset > end ||
      place.bytes > end - place.offset)
    return false;
  // Not seek(), which would keep bytes that the window has loaded beyond the limit.
  state.footer.restart_at(place.offset, place.offset + place.bytes);
  return true;
}

Status read_header_at(detail::ReaderState& state, std::uint64_t offset, format::PageHeader& header) {
  if (offset < format::kMagicBytes || offset >= state.footer_begin) return Status::kCorrupt;
  detail::Window& window = state.footer;
  const std::uint32_t whole = window.capacity;
  window.restart_at(offset, state.footer_begin);
  window.capacity = detail::kMinWindow;
  const Status status = format::read_page_header(window, header);
  window.capacity = whole;
  return status;
}

bool agrees(const format::PageHeader& header, std::uint64_t rows, std::uint32_t bytes) {
  const bool data = header.type == format::PageType::kData || header.type == format::PageType::kDataV2;
  return data && header.values == rows &&
         std::uint64_t{header.header_bytes} + header.compressed_bytes == bytes;
}

}  // namespace microparquet::read

namespace microparquet {

// Reading a column chunk's page index into the caller's memory.

namespace {

using detail::ReaderState;

// Checks that pages follow each other without a gap. pyarrow writes some pages without rows if the page size
// is tiny.
class LocationCheck {
 public:
  LocationCheck(const detail::ColumnChunk& chunk, std::uint64_t rows, std::uint64_t end)
      : rows_(rows), begin_(chunk.data_page_offset), end_(end) {}

  bool takes(const format::PageLocation& page) {
    const bool first = bytes_ == 0;
    if (first ? page.first_row != 0 || page.offset < begin_
              : page.first_row < row_ || page.offset != offset_ + bytes_)
      return false;
    if (page.bytes == 0 || page.first_row >= rows_ || page.offset > end_ || page.bytes > end_ - page.offset)
      return false;
    row_ = page.first_row;
    offset_ = page.offset;
    bytes_ = page.bytes;
    return true;
  }

 private:
  std::uint64_t rows_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t row_ = 0;
  std::uint64_t offset_ = 0;
  std::uint32_t bytes_ = 0;
};

// Stores the parts of a column index in its pages, and bounds in the memory after them.
struct BoundsOfPages {
  thrift::CompactReader& in;
  Span<IndexedPage> pages;
  Span<std::byte> memory;
  std::uint64_t& used;
  unsigned& lists;

  void null_page(std::uint32_t i, bool null) const {
    pages[i].only_nulls = null;
    lists |= 1;
  }
  void null_count(std::uint32_t i, std::uint64_t count) const {
    pages[i].null_count = count;
    pages[i].has_null_count = true;
  }
  void nan_count(std::uint32_t i, std::uint64_t count) const {
    pages[i].nan_count = count;
    pages[i].has_nan_count = true;
  }
  void min(std::uint32_t i, std::uint32_t bytes) const {
    pages[i].min = bound(bytes);
    lists |= 2;
  }
  void max(std::uint32_t i, std::uint32_t bytes) const {
    pages[i].max = bound(bytes);
    lists |= 4;
  }

 private:
  Span<const std::byte> bound(std::uint32_t bytes) const {
    const std::uint64_t begin = used;
    used += bytes;
    if (used > memory.size()) {
      in.pass(bytes);
      return {};
    }
    std::byte* const out = memory.data() + static_cast<std::size_t>(begin);
    in.copy(out, bytes);
    return {out, bytes};
  }
};

constexpr unsigned kAllLists = 7;

// Returns whether the null count and the flag for pages of nulls agree, in a column that is not repeated.
bool nulls_agree(const IndexedPage& page) {
  return !page.has_null_count || (page.null_count == page.rows) == page.only_nulls;
}

void forget_bounds(Span<IndexedPage> pages) {
  for (IndexedPage& page : pages) {
    page.only_nulls = false;
    page.has_bounds = false;
    page.has_null_count = false;
    page.has_nan_count = false;
  }
}

}  // namespace

Status PageIndex::read(Reader& reader, std::uint32_t column) {
  pages_ = {};
  column_ = column;
  if (reinterpret_cast<std::uintptr_t>(memory_.data()) % alignof(IndexedPage) != 0)
    return Status::kInvalidArgument;
  MICROPARQUET_TRY(read::find_chunk(detail::ReaderAccess::state(reader), column));
  Status status = read_places(reader);
  if (status == Status::kOk) status = read_bounds(reader);
  if (status != Status::kOk) pages_ = {};
  return status;
}

Status PageIndex::read_places(Reader& reader) {
  ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column_, places));
  if (!read::enter_index(state, places.offset_index)) return Status::kEnd;
  LocationCheck check(state.chunk, state.group_rows, state.footer_begin);
  auto* const pages = reinterpret_cast<IndexedPage*>(memory_.data());
  std::uint32_t count = 0;
  std::uint32_t size = 0;
  bool right = true;
  thrift::CompactReader in(state.footer);
  const auto take_size = [&](std::uint32_t number) {
    size = number;
    state.needed_bytes = std::uint64_t{size} * sizeof(IndexedPage);
    right = size <= places.offset_index.bytes;
    return right && state.needed_bytes <= memory_.size();
  };
  const auto take = [&](const format::PageLocation& location) {
    right = check.takes(location);
    if (!right) return false;
    IndexedPage& page = pages[count];
    page = {};
    page.offset = location.offset;
    page.bytes = location.bytes;
    page.first_row = location.first_row;
    page.rows = state.group_rows - location.first_row;
    if (count != 0) pages[count - 1].rows = location.first_row - pages[count - 1].first_row;
    ++count;
    return true;
  };
  format::read_offset_index(in, take_size, take);
  MICROPARQUET_TRY(read::as_no_index(in.status()));
  if (right && state.needed_bytes > memory_.size()) return Status::kOutOfMemory;
  if (!right || count == 0 || count != size) return Status::kEnd;
  pages_ = {pages, count};
  return Status::kOk;
}

// Reads the bounds of pages; page locations are useful without them.
Status PageIndex::read_bounds(Reader& reader) {
  ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column_, places));
  if (!read::enter_index(state, places.column_index)) return Status::kOk;
  const std::size_t used_by_pages = pages_.size() * sizeof(IndexedPage);
  std::uint64_t used = 0;
  unsigned lists = 0;
  thrift::CompactReader in(state.footer);
  const Span<std::byte> bounds = memory_.subspan(used_by_pages, memory_.size() - used_by_pages);
  format::read_column_index(in, static_cast<std::uint32_t>(pages_.size()),
                            BoundsOfPages{in, pages_, bounds, used, lists});
  const Status status = read::as_no_index(in.status());
  bool right = status == Status::kOk && lists == kAllLists;
  if (status != Status::kOk && status != Status::kEnd) return status;
  if (right && used > bounds.size()) {
    state.needed_bytes = used_by_pages + used;
    return Status::kOutOfMemory;
  }
  const bool flat = state.leaves[column_].max_repetition == 0;
  for (IndexedPage& page : pages_) {
    page.has_bounds = !page.only_nulls;
    right = right && (!flat || nulls_agree(page));
  }
  if (!right) forget_bounds(pages_);
  return Status::kOk;
}

Status PageIndex::confirm(Reader& reader, std::size_t page, bool& confirmed) const {
  ReaderState& state = detail::ReaderAccess::state(reader);
  const IndexedPage& told = pages_[page];
  format::PageHeader header;
  const Status status = read::as_no_index(read::read_header_at(state, told.offset, header));
  if (status != Status::kOk && status != Status::kEnd) return status;
  const bool flat = state.leaves[column_].max_repetition == 0;
  confirmed = status == Status::kOk && read::agrees(header, flat ? told.rows : header.values, told.bytes);
  return Status::kOk;
}

// Size statistics of pages. Both parts of a page index hold some of them, as lists over all pages.

namespace {

using Pages = Span<SizeStatistics>;
using Numbers = Span<std::uint64_t>;

// Reads the byte counts of byte arrays. `memory` has at least one number for each page.
void read_text_bytes(thrift::CompactReader& in, Numbers memory, Pages pages) {
  format::read_text_bytes(in, [&](std::uint32_t size) {
    const Numbers bytes = memory.subspan(0, pages.size());
    if (!read::take_numbers(in, size, bytes)) return;
    for (std::size_t page = 0; page < pages.size(); ++page) {
      pages[page].has_byte_array_bytes = true;
      pages[page].byte_array_bytes = bytes[page];
    }
  });
}

// Returns a function that reads the next numbers of an index into `numbers`, page after page, and sets
// `levels` of each page to its share.
auto take_levels(thrift::CompactReader& in, Numbers numbers, Pages pages,
                 Span<const std::uint64_t> SizeStatistics::* levels) {
  return [&in, numbers, pages, levels](std::uint32_t size) {
    if (!read::take_numbers(in, size, numbers)) return;
    const std::size_t count = numbers.size() / pages.size();
    for (std::size_t page = 0; page < pages.size(); ++page)
      pages[page].*levels = Span<const std::uint64_t>(numbers.data() + page * count, count);
  };
}

void forget(Pages pages) {
  for (SizeStatistics& page : pages) page = {};
}

}  // namespace

Status page_size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                            Span<SizeStatistics> result) {
  forget(result);
  detail::ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column, places));
  if (result.empty()) return Status::kOk;
  const std::uint64_t pages = result.size();
  const std::uint64_t all_definition = pages * (state.leaves[column].max_definition + 1U);
  const std::uint64_t all_repetition = pages * (state.leaves[column].max_repetition + 1U);
  state.needed_bytes = (all_definition + all_repetition) * sizeof(std::uint64_t);
  if (memory.size() < all_definition + all_repetition) return Status::kOutOfMemory;
  const auto definition = static_cast<std::size_t>(all_definition);
  const auto repetition = static_cast<std::size_t>(all_repetition);
  Status status = Status::kOk;
  if (read::enter_index(state, places.offset_index)) {
    thrift::CompactReader in(state.footer);
    read_text_bytes(in, memory, result);
    status = in.status();
  }
  if (status == Status::kOk && read::enter_index(state, places.column_index)) {
    thrift::CompactReader in(state.footer);
    format::read_level_counts(
        in, take_levels(in, memory.subspan(0, definition), result, &SizeStatistics::definition),
        take_levels(in, memory.subspan(definition, repetition), result, &SizeStatistics::repetition));
    status = in.status();
  }
  if (status != Status::kOk) forget(result);
  status = read::as_no_index(status);
  return status == Status::kEnd ? Status::kOk : status;
}

// Seeking to a row through the offset indexes of its columns.

namespace {

using detail::ColumnCursor;

// The page that holds a row, from the offset index.
struct PageOfRow {
  format::PageLocation page;
  std::uint64_t end = 0;  // first row after the page
};

bool is_data(const format::PageHeader& header) {
  return header.type == format::PageType::kData || header.type == format::PageType::kDataV2;
}

bool is_begun(const ReaderState& state, const ColumnCursor& column) {
  return column.page_rows != 0 || column.chunk_rows != state.group_rows;
}

// Finds the place and first row of the column's next data page; the index must contain it.
Status find_anchor(ReaderState& state, const ColumnCursor& column, format::PageLocation& anchor) {
  anchor.offset = column.next_page;
  anchor.first_row = state.group_rows - column.chunk_rows;
  if (is_begun(state, column)) return Status::kOk;
  format::PageHeader header;
  MICROPARQUET_TRY(read::read_header_at(state, column.next_page, header));
  if (header.type == format::PageType::kDictionary)
    anchor.offset += std::uint64_t{header.header_bytes} + header.compressed_bytes;
  return Status::kOk;
}

// Finds the page of a row.
// - kEnd: there is no index, or none that can be trusted
Status find_page(ReaderState& state, const ColumnCursor& column, const format::IndexPlace& place,
                 std::uint64_t row, PageOfRow& found) {
  format::PageLocation anchor;
  MICROPARQUET_TRY(read::as_no_index(find_anchor(state, column, anchor)));
  if (!read::enter_index(state, place)) return Status::kEnd;
  found = {};
  bool right = true;
  bool anchored = false;
  thrift::CompactReader in(state.footer);
  const auto take = [&](const format::PageLocation& page) {
    const bool first = found.page.bytes == 0;
    right =
        first ? page.first_row == 0
              : page.first_row > found.page.first_row && page.offset == found.page.offset + found.page.bytes;
    right = right && page.bytes != 0 && page.first_row < state.group_rows;
    if (page.first_row > row) found.end = page.first_row;
    if (!right || found.end != 0) return false;
    if (page.offset == anchor.offset && page.first_row == anchor.first_row) anchored = true;
    found.page = page;
    return true;
  };
  format::read_offset_index(in, [](std::uint32_t) { return true; }, take);
  MICROPARQUET_TRY(read::as_no_index(in.status()));
  if (!right || !anchored) return Status::kEnd;
  if (found.end == 0) found.end = state.group_rows;
  format::PageHeader header;
  MICROPARQUET_TRY(read::as_no_index(read::read_header_at(state, found.page.offset, header)));
  return read::agrees(header, found.end - found.page.first_row, found.page.bytes) ? Status::kOk
                                                                                  : Status::kEnd;
}

// Moves the column to a page. The column first reads the dictionary if its chunk has one.
Status go_to_page(ReaderState& state, ColumnCursor& column, const PageOfRow& found) {
  if (!is_begun(state, column)) {
    format::PageHeader header;
    MICROPARQUET_TRY(read::read_header_at(state, column.next_page, header));
    if (!is_data(header)) MICROPARQUET_TRY(read::next_page(column));
  }
  column.page_rows = 0;
  column.ends_in_padding = false;
  column.drop_body();
  column.chunk_rows = state.group_rows - found.page.first_row;
  column.next_page = found.page.offset;
  column.crc = 0;
  column.summed = 0;
  column.fetched = false;
  return Status::kOk;
}

// Passes pages of one column up to the page of the row.
Status approach(ReaderState& state, ColumnCursor& column, const format::IndexPlace& place,
                std::uint64_t row) {
  const std::uint64_t left = state.group_rows - row;
  const bool near = column.chunk_rows <= left;  // the row is in this page or first in the next one
  if (near || column.chunk_status != Status::kOk || state.leaves[column.column].max_repetition != 0)
    return Status::kOk;
  PageOfRow found;
  Status status = find_page(state, column, place, row, found);
  if (status == Status::kOk && state.group_rows - found.page.first_row < column.chunk_rows)
    status = go_to_page(state, column, found);
  return status == Status::kEnd ? Status::kOk : status;
}

// Approaches in the order of the row group's entry, which is then walked only once.
Status approach_all(ReaderState& state, std::uint64_t row) {
  for (std::uint32_t column = 0; column < state.leaf_count; ++column) {
    const std::uint32_t i = state.leaves[column].cursor;
    if (i >= state.chosen) continue;
    format::IndexPlaces places;
    MICROPARQUET_TRY(read::find_index_places(state, column, places));
    MICROPARQUET_TRY(read::report(state, i, approach(state, state.columns[i], places.offset_index, row)));
  }
  return Status::kOk;
}

}  // namespace

Status seek_row_by_index(Reader& reader, std::uint32_t row_group, std::uint64_t row) {
  ReaderState& state = detail::ReaderAccess::state(reader);
  if (state.file == nullptr || state.chosen == 0) return Status::kWrongState;
  if (reader.row_group() != row_group) MICROPARQUET_TRY(reader.seek_row_group(row_group));
  if (row >= state.group_rows) return Status::kInvalidArgument;
  if (!read::stands_before(state, row_group, state.group_rows - row))
    MICROPARQUET_TRY(reader.seek_row_group(row_group));
  MICROPARQUET_TRY(approach_all(state, row));
  return reader.seek_row(row_group, row);
}

// Turns ranges of values into ranges of rows, using the bounds of pages.

namespace {

using detail::Comparison;

// Returns whether a bound lies outside the range, on the given side of one of its ends.
bool is_beyond(const ColumnRange& range, Span<const std::byte> bound, const Value& end, Comparison side) {
  return !end.null && detail::compare(range.order, bound, detail::bytes_of(end)) == side;
}

// Returns whether a page may hold a value in the range. Nulls and NaN are in no range; bounds without a place
// in the order exclude nothing.
bool page_may_hold(const ColumnRange& range, const IndexedPage& page) {
  if (page.only_nulls) return false;
  if (!range.type_order || !page.has_bounds || !detail::has_place(range.order, page.min) ||
      !detail::has_place(range.order, page.max))
    return true;
  return !is_beyond(range, page.max, range.lower, Comparison::kLess) &&
         !is_beyond(range, page.min, range.upper, Comparison::kGreater);
}

// Confirms the index with the headers of the pages on both sides of a place where rows are left out.
Status confirm_both(const PageIndex& index, Reader& reader, std::size_t page, bool& confirmed) {
  MICROPARQUET_TRY(index.confirm(reader, page, confirmed));
  return confirmed && page != 0 ? index.confirm(reader, page - 1, confirmed) : Status::kOk;
}

}  // namespace

// Adds the rows of those pages of one column that may hold values in the range.
Status PageFilter::select_pages(Reader& reader, const ColumnRange& range, RowRanges& rows) const {
  const RowRange all = {0, reader.row_group_rows()};
  PageIndex index(memory_);
  const Status status = index.read(reader, range.column);
  if (status == Status::kEnd || status == Status::kOutOfMemory) {
    rows.add(all);
    return Status::kOk;
  }
  MICROPARQUET_TRY(status);
  bool before = true;
  for (std::size_t i = 0; i < index.pages().size(); ++i) {
    const IndexedPage& page = index.pages()[i];
    const bool may = page_may_hold(range, page);
    bool confirmed = true;
    if (may != before) MICROPARQUET_TRY(confirm_both(index, reader, i, confirmed));
    if (!confirmed) {
      rows.clear();
      rows.add(all);
      return Status::kOk;
    }
    before = may;
    if (may) rows.add({page.first_row, page.first_row + page.rows});
  }
  return Status::kOk;
}

Status PageFilter::select(Reader& reader, RowRanges& rows) const {
  if (scratch_.size() < 3) return Status::kInvalidArgument;
  bool match = false;
  MICROPARQUET_TRY(RangeFilter(ranges_).may_match(reader, match));
  if (!match) return Status::kOk;
  const std::size_t third = scratch_.size() / 3;
  RowRanges found(scratch_.subspan(0, third));
  RowRanges steps[] = {RowRanges(scratch_.subspan(third, third)),
                       RowRanges(scratch_.subspan(2 * third, third))};
  unsigned now = 0;
  steps[now].add({0, reader.row_group_rows()});
  for (const ColumnRange& range : ranges_) {
    found.clear();
    MICROPARQUET_TRY(select_pages(reader, range, found));
    steps[1 - now].clear();
    steps[1 - now].add_both(steps[now].ranges(), found.ranges());
    now = 1 - now;
  }
  for (const RowRange& range : steps[now].ranges()) rows.add(range);
  return Status::kOk;
}

}  // namespace microparquet
