// Passing over row groups by their statistics.
#pragma once

#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/value.h"

namespace microparquet {

namespace detail {
enum class ValueOrder : std::uint8_t;  // how the values of a column compare; zero: not at all
}  // namespace detail

// Values of a column from `lower` to `upper`, both included, by the order of its type: numbers as numbers,
// text and other bytes unsigned byte by byte. A null bound leaves that side open. Make it with make_range().
struct ColumnRange {
  std::uint32_t column = 0;       // number in the file
  Value lower = {};               // not copied: its bytes must stay
  Value upper = {};               // the same
  detail::ValueOrder order = {};  // of the column, as make_range() has found it
  bool type_order = false;        // the file says that min_value and max_value are in that order
};

// Makes a range of `column`, a number in the open file. Bytes that the bounds point to are the caller's.
// - kInvalidArgument: no such column, or a bound is not of its physical type
// - as Reader::column_element
Status make_range(Reader& reader, std::uint32_t column, const Value& lower, const Value& upper,
                  ColumnRange& range);

// For Reader::set_filter. A row group matches when every range may hold some value of its column; without
// usable statistics it does, as for columns whose order is not defined (INT96, INTERVAL, logical types that
// are not known here). Nulls and NaN are in no range. `ranges` is the caller's and must stay.
//
// min_value and max_value count where FileMetaData.column_orders says TYPE_ORDER of the column, or of floating
// point IEEE754_TOTAL_ORDER; without that, or with another order, the format leaves open what they mean. The deprecated min and max count where no
// order is said, for numbers with a sign.
class RangeFilter final : public RowGroupFilter {
 public:
  // The array, and the bytes that the bounds point to, must stay as long as the filter.
  explicit constexpr RangeFilter(Span<const ColumnRange> ranges) : ranges_(ranges) {}
  Status may_match(Reader& reader, bool& match) const override;

 private:
  Span<const ColumnRange> ranges_;
};

// For Reader::set_filter. A row group matches when it does so for each of `filters`, which are the caller's
// and must stay.
class AllOf final : public RowGroupFilter {
 public:
  // The array and the filters in it must stay as long as this one. Without any, every row group matches.
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
