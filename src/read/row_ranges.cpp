#include "microparquet/row_ranges.h"

namespace microparquet {

void RowRanges::add(RowRange more) {
  if (more.begin >= more.end) return;
  const bool apart = count_ == 0 || places_[count_ - 1].end < more.begin;
  if (apart && count_ < places_.size()) {
    places_[count_++] = more;
    return;
  }
  RowRange& last = places_[count_ - 1];
  if (last.end < more.end) last.end = more.end;
}

void RowRanges::add_both(Span<const RowRange> a, Span<const RowRange> b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const RowRange& left = a[i];
    const RowRange& right = b[j];
    add({left.begin > right.begin ? left.begin : right.begin, left.end < right.end ? left.end : right.end});
    left.end < right.end ? ++i : ++j;
  }
}

}  // namespace microparquet
