// Whether two files are the same log, one of them perhaps with more rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "collected.h"

namespace mpq_tool {

// By the longest beginning of which both have a mark, and of which neither has lost a row. Where one has lost its first
// row, the file id that the device gave them has to do. Requires: they are namesakes.
inline bool are_same_log(const Collected& a, const Collected& b) {
  const std::uint64_t most = std::min(a.unbroken(), b.unbroken());
  if (most == 0) {
    return a.file_id != 0;
  }
  for (auto mark = a.marks.rbegin(); mark != a.marks.rend(); ++mark) {
    const auto other = std::find_if(b.marks.begin(), b.marks.end(),
                                    [mark](const RowsMark& each) { return each.rows == mark->rows; });
    if (mark->rows <= most && other != b.marks.end()) {
      return mark->sum == other->sum;
    }
  }
  return false;
}

}  // namespace mpq_tool
