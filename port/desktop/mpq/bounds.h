// The smallest and largest value of a column over all row groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "values/value_order.h"

namespace mpq_tool {

// A value as statistics hold it; of long text a shortened one, which no value of the column need equal.
using Bound = std::vector<std::byte>;

// What the row groups say of one column, put together.
class ColumnSummary {
 public:
  // `element` must stay.
  explicit ColumnSummary(const microparquet::SchemaElement& element)
      : element_(element), order_(microparquet::detail::order_of(element)) {}

  // A row group's word on the column, in any order.
  void add(const microparquet::ColumnChunkInfo& chunk, const microparquet::ColumnStatistics& statistics);

  std::uint64_t bytes() const { return bytes_; }
  std::uint32_t encodings() const { return encodings_; }
  // Of codecs that Parquet does not know, the last one seen.
  bool uses(microparquet::CodecId codec) const;
  // None where a row group does not tell.
  std::optional<std::uint64_t> nulls() const { return nulls_; }
  // None where a row group that has values does not tell, or where the type has no order.
  const std::optional<Bound>& min() const { return min_; }
  const std::optional<Bound>& max() const { return max_; }

 private:
  // `outer`: how a value that replaces the bound compares with it.
  void add_bound(std::optional<Bound>& bound, bool& untold, bool told,
                 microparquet::Span<const std::byte> value, microparquet::detail::Comparison outer) const;

  const microparquet::SchemaElement& element_;
  microparquet::detail::ValueOrder order_;
  std::uint64_t bytes_ = 0;
  std::uint32_t encodings_ = 0;
  std::uint8_t codecs_ = 0;  // bit n: CodecId n
  std::uint8_t other_codec_ = 0;
  std::optional<std::uint64_t> nulls_ = 0;
  std::optional<Bound> min_;
  std::optional<Bound> max_;
  bool min_untold_ = false;
  bool max_untold_ = false;
};

}  // namespace mpq_tool
