// Values that were read: what they say of statistics, and how they are written again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "byte_views.h"
#include "microparquet/reader.h"
#include "microparquet/schema.h"
#include "open_file.h"
#include "values/value_order.h"

namespace microparquet::recovery {

// A summary of the values of a column chunk, to be compared with its statistics.
class ValueSummary {
 public:
  explicit ValueSummary(const SchemaElement& element);

  // Values as Reader::next_batch gives them.
  void add(const std::byte* values, std::size_t count);

  void add_nulls(std::uint64_t count) { nulls_ += count; }
  // Items that say that a list is missing or empty: some writers count them as nulls, some do not.
  void add_absent(std::uint64_t count) { absent_ += count; }

  // Contradictions between `statistics` and the values, a sentence each. Without `whole` some values of the
  // statistics are missing.
  std::vector<std::string> contradictions(const ColumnStatistics& statistics, bool whole) const;

  // The smallest and the largest value, zeros with the sign that lets both be among them; `any`: there are such.
  struct Bounds {
    bool any;
    Bytes min;
    Bytes max;
  };
  Bounds bounds() const;

  // Number of NaN; none for types that have none.
  std::optional<std::uint64_t> nans() const;

  // Bytes from one value to the next in a batch.
  std::size_t stride() const { return stride_; }

 private:
  void add_number(ByteView value);
  void add_value(ByteView value);
  void check_bound(const char* name, bool has, ByteView bound, bool exact, const Bytes& found,
                   detail::Comparison outer, std::vector<std::string>& result) const;

  SchemaElement element_;
  detail::ValueOrder order_;
  std::size_t stride_;
  std::uint64_t nulls_ = 0;
  std::uint64_t absent_ = 0;
  std::uint64_t nans_ = 0;
  bool any_ = false;               // a value that has a place in the order
  std::int64_t place_of_min_ = 0;  // of numbers
  std::int64_t place_of_max_ = 0;
  Bytes min_;
  Bytes max_;
};

// The leaf as a column to be written: in PLAIN, with bounds, named as the leaf, which must stay. A meaning that can only be read is left out. Requires:
// no INT96, not repeated, in no group.
Field written_field(const Leaf& leaf);

}  // namespace microparquet::recovery
