// Compares ranges with the statistics of a row group while they are parsed from the footer: bounds of any
// length in little memory.
#include "base/try.h"
#include "format/column_order_reader.h"
#include "format/statistics_reader.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/filter.h"
#include "read/chunk.h"
#include "values/value_bytes.h"
#include "values/value_order.h"

namespace microparquet {

namespace {

using detail::Comparison;
using detail::ValueOrder;

using Bytes = Span<const std::byte>;

// The following functions compare a bound of the statistics, which is next in the input, with a value, and
// pass it.

Comparison compare_numbers(thrift::CompactReader& in, std::uint32_t bytes, ValueOrder order, Bytes value) {
  std::byte bound[8] = {};
  if (bytes > sizeof bound) {
    in.pass(bytes);
    return Comparison::kNot;
  }
  in.copy(bound, bytes);
  return detail::compare_numbers(order, {bound, bytes}, value);
}

// Compares byte arrays a piece at a time.
Comparison compare_bytes(thrift::CompactReader& in, std::uint32_t bytes, Bytes value) {
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

Comparison compare_decimals(thrift::CompactReader& in, std::uint32_t bytes, Bytes value) {
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

Comparison compare_next(thrift::CompactReader& in, std::uint32_t bytes, ValueOrder order, Bytes value) {
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

}  // namespace microparquet
