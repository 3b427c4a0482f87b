// Ranges of rows in a row group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"

namespace microparquet {

// Rows from `begin` up to, not including, `end`, counted from the first row of their row group.
struct RowRange {
  std::uint64_t begin = 0;  // first row
  std::uint64_t end = 0;    // one after the last row
};

// Ranges of rows, ascending and apart from each other, in memory that is the caller's and must stay. If it is
// full, two ranges become one with the rows between them: there may be more rows than were added, never
// fewer.
class RowRanges {
 public:
  // Takes at least one place.
  explicit RowRanges(Span<RowRange> places) : places_(places) {}

  // Returns the ranges, in the memory of the caller; valid until they change.
  Span<const RowRange> ranges() const { return Span<const RowRange>(places_.data(), count_); }

  // Removes all ranges.
  void clear() { count_ = 0; }

  // Adds rows, unless the range is empty. Requires: `more` begins at or after the beginning of the last
  // range.
  void add(RowRange more);

  // Adds the rows that are in both arguments, which are ascending. Requires: this has no ranges, or only
  // earlier ones.
  void add_both(Span<const RowRange> a, Span<const RowRange> b);

 private:
  Span<RowRange> places_;
  std::size_t count_ = 0;
};

}  // namespace microparquet
