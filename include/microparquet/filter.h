// Passing over row groups by their statistics.
#pragma once

#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/value.h"

namespace microparquet {

// Values of a column from `lower` to `upper`, both included. A null bound leaves that side open; the others
// are of the column's physical type. Byte arrays compare as the column's statistics do: by unsigned bytes,
// decimals by their number.
struct ColumnRange {
  std::uint32_t column = 0;  // number in the file
  Value lower = {};
  Value upper = {};
};

// For Reader::set_filter. A row group matches when every range may hold some value of its column: without
// usable statistics it does. `ranges` is the caller's and must stay. Columns whose order is not defined
// (INT96, INTERVAL) always match. May answer kInvalidArgument: a range names no column, or a bound is of
// another type.
class RangeFilter final : public RowGroupFilter {
 public:
  explicit constexpr RangeFilter(Span<const ColumnRange> ranges) : ranges_(ranges) {}
  Status may_match(Reader& reader, bool& match) const override;

 private:
  Span<const ColumnRange> ranges_;
};

}  // namespace microparquet
