// Parts of the rows of a row group.
#pragma once

#include <cstdint>
#include <vector>

namespace microparquet::recovery {

// The rows [begin, end), counted from the first one of their row group.
struct RowRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Ascending, apart from each other, and none of them empty.
using RowRanges = std::vector<RowRange>;

// Appends a range that begins where the last one ends or after it.
void append_range(RowRanges& ranges, RowRange more);

std::uint64_t rows_in(const RowRanges& ranges);

// Rows that both have.
RowRanges in_both(const RowRanges& a, const RowRanges& b);

// Rows of [0, rows) that are missing.
RowRanges missing_of(const RowRanges& ranges, std::uint64_t rows);

}  // namespace microparquet::recovery
