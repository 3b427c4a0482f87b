#include "microparquet/row_filter.h"

#include "base/try.h"
#include "microparquet/detail/reader_access.h"
#include "read/pass_pages.h"

namespace microparquet {

// Goes to the next row group and asks the filter for its rows.
Status SelectedRows::enter_row_group() {
  if (!entered_) {
    MICROPARQUET_TRY(reader_.next_row_group());
    row_group_ = reader_.row_group();
    entered_ = true;
    selected_ = false;
  }
  rows_.clear();
  MICROPARQUET_TRY(filter_.select(reader_, rows_));
  selected_ = true;
  range_ = 0;
  return Status::kOk;
}

Status SelectedRows::next() {
  const detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  for (;;) {
    if (!selected_) MICROPARQUET_TRY(enter_row_group());
    if (seeking_) {
      MICROPARQUET_TRY(reader_.seek_row(row_group_, row_));
      seeking_ = false;
    }
    const std::uint64_t rows = state.group_rows;
    const std::uint64_t at = rows - state.rows_left;
    const Span<const RowRange> ranges = rows_.ranges();
    while (range_ < ranges.size() && ranges[range_].end <= at) ++range_;
    if (range_ == ranges.size() || ranges[range_].begin >= rows || at == rows) {
      entered_ = false;
      selected_ = false;
    } else if (ranges[range_].begin <= at) {
      return Status::kOk;
    } else {
      row_ = ranges[range_].begin;
      seeking_ = true;
    }
  }
}

Status SelectedColumn::next_batch(AnyBatch& batch) {
  batch.level_count = 0;
  batch.value_count = 0;
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  if (column_ >= state.chosen) return Status::kInvalidArgument;
  const detail::ColumnCursor& column = state.columns[column_];
  const std::uint64_t at = state.group_rows - read::rows_left(column);
  const auto is_passed = [at](const RowRange& range) { return range.end <= at || range.end <= range.begin; };
  while (range_ < ranges_.size() && is_passed(ranges_[range_])) ++range_;
  if (range_ == ranges_.size() || ranges_[range_].begin >= state.group_rows) return Status::kEnd;
  const RowRange range = ranges_[range_];
  first_row_ = at > range.begin ? at : range.begin;
  if (first_row_ != at) MICROPARQUET_TRY(reader_.seek_value(column_, first_row_));
  const std::size_t places = batch.places;
  if (range.end - first_row_ < places) batch.places = static_cast<std::size_t>(range.end - first_row_);
  const Status status = reader_.next_batch(column_, batch);
  batch.places = places;
  return status;
}

}  // namespace microparquet
