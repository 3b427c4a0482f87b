// Skipping row groups by their statistics.
#pragma once

#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/value.h"

namespace microparquet {

namespace detail {
enum class ValueOrder : std::uint8_t;  // order of a column's values; zero: none
}  // namespace detail

// Range of a column's values from `lower` to `upper`, both included, in the order of its type: numbers as
// numbers, text and other bytes unsigned byte by byte. A null bound leaves that side open. Make it with
// make_range().
struct ColumnRange {
  std::uint32_t column = 0;       // number in the file
  Value lower = {};               // first value; its bytes are not copied and must stay
  Value upper = {};               // last value; its bytes are not copied and must stay
  detail::ValueOrder order = {};  // order of the column, from make_range()
  bool type_order = false;        // whether the file says that min_value and max_value are in that order
};

// Makes a range of `column`, a number in the open file. Bytes that the bounds point to are the caller's.
// - kInvalidArgument: no such column, or a bound is not of its physical type
// - as Reader::column_element
Status make_range(Reader& reader, std::uint32_t column, const Value& lower, const Value& upper,
                  ColumnRange& range);

// Filter for Reader::set_filter(). A row group matches if every range may hold some value of its column. It
// also matches without usable statistics, and for columns without a defined order (INT96, INTERVAL, logical
// types unknown here). Nulls and NaN are in no range. `ranges` is the caller's and must stay.
//
// min_value and max_value count if FileMetaData.column_orders says TYPE_ORDER of the column, or
// IEEE754_TOTAL_ORDER of floating point; otherwise the format leaves their meaning open. The deprecated min
// and max count if no order is stated, for signed numbers.
class RangeFilter final : public RowGroupFilter {
 public:
  // Takes ranges. The array, and the bytes that the bounds point to, must stay as long as the filter.
  explicit constexpr RangeFilter(Span<const ColumnRange> ranges) : ranges_(ranges) {}
  Status may_match(Reader& reader, bool& match) const override;

 private:
  Span<const ColumnRange> ranges_;
};

// Filter for Reader::set_filter(). A row group matches if it does so for each of `filters`, which are the
// caller's and must stay.
class AllOf final : public RowGroupFilter {
 public:
  // Takes filters. The array and the filters in it must stay as long as this one. Without any, every row
  // group matches.
  explicit constexpr AllOf(Span<const RowGroupFilter* const> filters) : filters_(filters) {}
  Status may_match(Reader& reader, bool& match) const override {
    match = true;
    for (const RowGroupFilter* filter : filters_) {
      const Status status = filter->may_match(reader, match);
      if (status != Status::kOk || !match) return status;
    }
    return Status::kOk;
  }

 private:
  Span<const RowGroupFilter* const> filters_;
};

}  // namespace microparquet
