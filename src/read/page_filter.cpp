// Turns ranges of values into ranges of rows, using the bounds of pages.
#include "microparquet/page_filter.h"

#include "base/try.h"
#include "microparquet/page_index.h"
#include "values/value_bytes.h"
#include "values/value_order.h"

namespace microparquet {

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
