#include "microparquet/row_filter.h"
#include "base/try.h"
#include "format/column_order_reader.h"
#include "format/row_group_reader.h"
#include "format/statistics_reader.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/filter.h"
#include "microparquet/row_group_index.h"
#include "microparquet/row_ranges.h"
#include "read/footer.h"
#include "read/rows.h"
#include "values/value_bytes.h"
#include "values/value_order.h"

namespace microparquet {

void RowRanges::add(RowRange more) {
  if (more.begin >= more.end) return;
  const bool apart = count_ == 0 || places_[count_ - 1].end < more.begin;
  if (apart && count_ < places_.size()) {
    places_[count_++] = more;
    return;
  }
  RowRange& last = places_[count_ - 1];
  if (last.end < more.end) last.end = more.end;
}

void RowRanges::add_both(Span<const RowRange> a, Span<const RowRange> b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const RowRange& left = a[i];
    const RowRange& right = b[j];
    add({left.begin > right.begin ? left.begin : right.begin, left.end < right.end ? left.end : right.end});
    left.end < right.end ? ++i : ++j;
  }
}

// Compares ranges with the statistics of a row group while they are parsed from the footer: bounds of any
// length in little memory.

namespace {

using detail::Comparison;
using detail::ValueOrder;

using ByteSpan = Span<const std::byte>;

// The following functions compare a bound of the statistics, which is next in the input, with a value, and
// pass it.

Comparison compare_numbers(thrift::CompactReader& in, std::uint32_t bytes, ValueOrder order, ByteSpan value) {
  std::byte bound[8] = {};
  if (bytes > sizeof bound) {
    in.pass(bytes);
    return Comparison::kNot;
  }
  in.copy(bound, bytes);
  return detail::compare_numbers(order, {bound, bytes}, value);
}

// Compares byte arrays a piece at a time.
Comparison compare_bytes(thrift::CompactReader& in, std::uint32_t bytes, ByteSpan value) {
  std::byte piece[16] = {};
  for (;;) {
    const std::uint32_t count = bytes < sizeof piece ? bytes : sizeof piece;
    const bool last = count == bytes || value.size() < count;
    in.copy(piece, count);
    bytes -= count;
    const Comparison result = detail::compare_bytes({piece, count}, last ? value : value.subspan(0, count));
    if (last || result != Comparison::kEqual) {
      in.pass(bytes);
      return result;
    }
    value = value.subspan(count, value.size() - count);
  }
}

Comparison compare_decimals(thrift::CompactReader& in, std::uint32_t bytes, ByteSpan value) {
  std::uint32_t left = bytes;
  const auto next_byte = [&] {
    std::uint8_t byte = 0;
    in.copy(&byte, 1);
    --left;
    return static_cast<unsigned>(byte);
  };
  const Comparison result = detail::compare_decimals(next_byte, bytes, value);
  in.pass(left);
  return result;
}

Comparison compare_next(thrift::CompactReader& in, std::uint32_t bytes, ValueOrder order, ByteSpan value) {
  if (order == ValueOrder::kBytes) return compare_bytes(in, bytes, value);
  if (order == ValueOrder::kDecimal) return compare_decimals(in, bytes, value);
  return compare_numbers(in, bytes, order, value);
}

// Returns whether the next bound leaves the range possible: the maximum is not below it, the minimum not
// above it.
bool bound_allows(thrift::CompactReader& in, const thrift::FieldHeader& field, ValueOrder order,
                  const Value& end, Comparison outside) {
  const std::uint32_t bytes = in.binary(field);
  if (!end.null) return compare_next(in, bytes, order, detail::bytes_of(end)) != outside;
  in.pass(bytes);
  return true;
}

// Reads the next Statistics and returns whether the row group may hold a value in the range.
bool may_hold(thrift::CompactReader& in, const ColumnRange& range, std::uint64_t rows) {
  bool any_value = true;
  const auto by_max = [&](const auto& field) {
    return bound_allows(in, field, range.order, range.lower, Comparison::kLess);
  };
  const auto by_min = [&](const auto& field) {
    return bound_allows(in, field, range.order, range.upper, Comparison::kGreater);
  };
  const auto take_nulls = [&](std::uint64_t nulls) {
    if (rows != 0 && nulls == rows) any_value = false;
  };
  const format::BoundsVerdict bounds = format::compare_bounds(in, by_max, by_min, take_nulls);
  if (!any_value) return false;
  return range.type_order ? bounds.allowed : bounds.old_allowed || !detail::trusts_old_bounds(range.order);
}

Status range_matches(detail::ReaderState& state, const ColumnRange& range, bool& match) {
  MICROPARQUET_TRY(read::find_chunk(state, range.column));
  if (state.chunk.statistics_begin == 0) return Status::kOk;
  state.footer.seek(state.chunk.statistics_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  // A null in a repeated column need not be a row of its own: its null count excludes nothing.
  const bool flat = state.leaves[range.column].max_repetition == 0;
  match = may_hold(in, range, flat ? state.group_rows : 0);
  return in.status();
}

// Reads from the footer whether the column's bounds are in the order of its type.
Status find_type_order(detail::ReaderState& state, ColumnRange& range) {
  range.type_order = false;
  if (state.column_orders_begin == 0) return Status::kOk;
  state.footer.seek(state.column_orders_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  range.type_order = format::has_type_order(in, state.leaf_count, range.column, detail::has_nan(range.order));
  return in.status();
}

}  // namespace

Status make_range(Reader& reader, std::uint32_t column, const Value& lower, const Value& upper,
                  ColumnRange& range) {
  SchemaElement element;
  MICROPARQUET_TRY(reader.column_element(column, {}, element));
  const bool typed = (lower.null || lower.type == element.type) && (upper.null || upper.type == element.type);
  if (!typed) return Status::kInvalidArgument;
  range = {column, lower, upper, detail::order_of(element)};
  return find_type_order(detail::ReaderAccess::state(reader), range);
}

Status RangeFilter::may_match(Reader& reader, bool& match) const {
  match = true;
  for (const ColumnRange& range : ranges_) {
    MICROPARQUET_TRY(range_matches(detail::ReaderAccess::state(reader), range, match));
    if (!match) break;
  }
  return Status::kOk;
}

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

// Index of the footer's row groups, in memory of the caller.

// Reads the number of rows of an entry. The footer's window then stands after the entry.
Status RowGroupIndex::read(Entry& entry) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  state.footer.seek(entry.footer_byte, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  format::RowGroup row_group;
  format::read_row_group(in, row_group, [&in](std::uint32_t count) {
    for (; count != 0 && in.ok(); --count) in.skip_struct();
  });
  entry.rows = row_group.rows;
  return in.status();
}

// Reads the entry that follows one just read.
Status RowGroupIndex::read_next(Entry& entry) {
  entry.footer_byte = detail::ReaderAccess::state(reader_).footer.position();
  entry.first_row += entry.rows;
  ++entry.row_group;
  return read(entry);
}

Status RowGroupIndex::build() {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  step_ = 0;
  if (state.file == nullptr) return Status::kWrongState;
  if (places_.empty()) return Status::kInvalidArgument;
  const std::uint32_t groups = state.row_groups;
  std::uint32_t step = 1;
  if (places_.size() < groups) {
    const auto places = static_cast<std::uint32_t>(places_.size());
    step = (groups - 1) / places + 1;
  }
  count_ = 0;
  Entry entry = {0, state.row_groups_begin, 0, 0};
  if (groups != 0) MICROPARQUET_TRY(read(entry));
  while (entry.row_group < groups) {
    if (entry.row_group == count_ * step) places_[count_++] = {entry.first_row, entry.footer_byte};
    if (entry.row_group == groups - 1) break;
    MICROPARQUET_TRY(read_next(entry));
  }
  step_ = step;
  return Status::kOk;
}

// Makes the entry the reader's next row group.
void RowGroupIndex::enter(const Entry& entry) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  state.next_row_group = entry.row_group;
  state.next_entry = entry.footer_byte;
}

Status RowGroupIndex::seek_row_group(std::uint32_t row_group) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  if (step_ == 0 || state.file == nullptr) return Status::kWrongState;
  if (row_group >= state.row_groups) return Status::kInvalidArgument;
  const std::uint32_t place = row_group / step_;
  enter({place * step_, places_[place].footer_byte, 0, 0});
  return reader_.seek_row_group(row_group);
}

Status RowGroupIndex::seek_row(std::uint64_t row) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  if (step_ == 0 || state.file == nullptr || state.chosen == 0) return Status::kWrongState;
  if (row >= state.file_rows) return Status::kInvalidArgument;
  std::uint32_t low = 0;  // the last place that does not begin after the row
  for (std::uint32_t after = count_; after - low > 1;) {
    const std::uint32_t middle = low + (after - low) / 2;
    (places_[middle].first_row <= row ? low : after) = middle;
  }
  Entry entry = {low * step_, places_[low].footer_byte, places_[low].first_row, 0};
  MICROPARQUET_TRY(read(entry));
  while (row - entry.first_row >= entry.rows) MICROPARQUET_TRY(read_next(entry));
  const std::uint64_t row_in_group = row - entry.first_row;
  if (!read::stands_before(state, entry.row_group, entry.rows - row_in_group)) {
    enter(entry);
    MICROPARQUET_TRY(reader_.seek_row_group(entry.row_group));
  }
  return reader_.seek_row(entry.row_group, row_in_group);
}

}  // namespace microparquet
