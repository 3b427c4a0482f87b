#include "row_ranges.h"

#include <algorithm>

namespace microparquet::recovery {

void append_range(RowRanges& ranges, RowRange more) {
  if (more.begin >= more.end) {
    return;
  }
  if (!ranges.empty() && ranges.back().end == more.begin) {
    ranges.back().end = more.end;
  } else {
    ranges.push_back(more);
  }
}

std::uint64_t rows_in(const RowRanges& ranges) {
  std::uint64_t rows = 0;
  for (const RowRange& range : ranges) {
    rows += range.end - range.begin;
  }
  return rows;
}

RowRanges in_both(const RowRanges& a, const RowRanges& b) {
  RowRanges result;
  auto one = a.begin();
  auto other = b.begin();
  while (one != a.end() && other != b.end()) {
    append_range(result, {std::max(one->begin, other->begin), std::min(one->end, other->end)});
    if (one->end < other->end) {
      ++one;
    } else {
      ++other;
    }
  }
  return result;
}

RowRanges missing_of(const RowRanges& ranges, std::uint64_t rows) {
  RowRanges result;
  std::uint64_t at = 0;
  for (const RowRange& range : ranges) {
    append_range(result, {at, range.begin});
    at = range.end;
  }
  append_range(result, {at, rows});
  return result;
}

}  // namespace microparquet::recovery
