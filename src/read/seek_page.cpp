// Seeking to a row through the offset indexes of its columns.
#include "base/try.h"
#include "format/page_index_reader.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/page_index.h"
#include "read/column.h"
#include "read/index_places.h"
#include "read/page.h"
#include "read/pass_pages.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;

// The page that holds a row, from the offset index.
struct PageOfRow {
  format::PageLocation page;
  std::uint64_t end = 0;  // the first row after it
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

}  // namespace microparquet
