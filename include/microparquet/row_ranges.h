// Parts of the rows of a row group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"

namespace microparquet {

// The rows from `begin` up to, not including, `end`, counted from the first one of their row group.
struct RowRange {
  std::uint64_t begin = 0;  // the first one
  std::uint64_t end = 0;    // the first one after them
};

// Ranges of rows, ascending and apart from each other, in memory that is the caller's and must stay. Where
// that has no place left, the rows between two ranges count as in them: so there may be more rows than were
// added, never fewer.
class RowRanges {
 public:
  // Requires: at least one place.
  explicit RowRanges(Span<RowRange> places) : places_(places) {}

  // The ranges, in the memory of the caller; until they change.
  Span<const RowRange> ranges() const { return Span<const RowRange>(places_.data(), count_); }

  // Takes all of them out.
  void clear() { count_ = 0; }

  // Adds rows. Empty ranges are left out. Requires: `more` begins where the last range begins, or after it.
  void add(RowRange more);

  // Adds the rows that are in both, which are ascending. Requires: this has none, or none after them.
  void add_both(Span<const RowRange> a, Span<const RowRange> b);

 private:
  Span<RowRange> places_;
  std::size_t count_ = 0;
};

}  // namespace microparquet
