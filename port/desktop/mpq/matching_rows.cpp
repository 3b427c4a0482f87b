#include "matching_rows.h"

#include <algorithm>

#include "microparquet/desktop/growing_reader.h"

namespace mpq_tool {

namespace {

using microparquet::Status;
using microparquet::Type;

microparquet::Value null_of(Type type) {
  microparquet::Value value;
  value.type = type;
  value.null = true;
  return value;
}

}  // namespace

PredicateFilter::PredicateFilter(microparquet::Reader& reader, const Predicate& predicate)
    : predicate_(predicate) {
  add_columns(reader, predicate);
}

// Of a column whose order cannot be read no bound is believed.
void PredicateFilter::add_columns(microparquet::Reader& reader, const Predicate& predicate) {
  for (const Predicate& part : predicate.parts) {
    add_columns(reader, part);
  }
  if (predicate.kind != Predicate::Kind::kTest) {
    return;
  }
  const std::uint32_t column = predicate.test.column;
  const microparquet::Value open = null_of(reader.column_type(column));
  microparquet::ColumnRange& range = columns_[column];
  if (make_range(reader, column, open, open, range) != Status::kOk) {
    range.order = microparquet::detail::ValueOrder::kNone;
  }
}

Status PredicateFilter::may_match(microparquet::Reader& reader, bool& match) const {
  return may_match(reader, predicate_, match);
}

Status PredicateFilter::may_match(microparquet::Reader& reader, const Predicate& predicate,
                                  bool& match) const {
  if (predicate.kind == Predicate::Kind::kTest) {
    return may_match(reader, predicate.test, match);
  }
  const bool all = predicate.kind == Predicate::Kind::kAll;
  match = all;
  for (const Predicate& part : predicate.parts) {
    const Status status = may_match(reader, part, match);
    if (status != Status::kOk || match != all) {
      return status;
    }
  }
  return Status::kOk;
}

Status PredicateFilter::may_match(microparquet::Reader& reader, const ColumnTest& test, bool& match) const {
  constexpr std::uint64_t kMostBytes = 1 << 20;
  const microparquet::ColumnRange& range = columns_.at(test.column);
  microparquet::ColumnStatistics statistics;
  PossibleValues possible;
  const Status status =
      microparquet::desktop::statistics_in(reader, test.column, bounds_, kMostBytes, statistics);
  if (status == Status::kCorrupt) {  // there are files with wrong ones
    match = true;
    return Status::kOk;
  }
  if (status != Status::kOk) {
    return status;
  }
  const bool believed = statistics.deprecated
                            ? !range.type_order && microparquet::detail::trusts_old_bounds(range.order)
                            : range.type_order;
  possible.has_min = believed && statistics.has_min;
  possible.has_max = believed && statistics.has_max;
  possible.min = statistics.min;
  possible.max = statistics.max;
  possible.nulls = reader.max_definition_level(test.column) != 0 &&
                   (!statistics.has_null_count || statistics.null_count != 0);
  possible.values = !statistics.has_null_count || statistics.null_count != reader.row_group_rows();
  possible.nans = !statistics.has_nan_count || statistics.nan_count != 0;
  possible.check(range.order);
  match = may_hold(test, possible);
  return Status::kOk;
}

}  // namespace mpq_tool
