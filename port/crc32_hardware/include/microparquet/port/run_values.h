// The values of runs, for a program on a desktop that reads a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/column_values.h"

namespace microparquet {

// Calls `visit(value)` for each value of a run that Reader::next_run() gave, in order. Memory is asked for what lies as far
// after the run as the run is long, at least 32 KB, in a mapped file the next page of the column: it comes near while
// `visit` works, where a loop over ColumnRun::value() has it wait in the next call of the reader. It is asked for, not read:
// nothing has to be there. In a file that is not mapped, or of columns of a page or two, a loop is some percent faster.
//
// Requires: the run is not null, and T is what the column's type says. Thread-safe.
template <typename T, typename Visit>
void each_value(const ColumnRun& run, Visit visit) {
  constexpr std::size_t kLine = 64;  // bytes that a processor fetches at once
  static_assert(sizeof(T) <= kLine, "a value of a column");
  constexpr std::size_t kPart = kLine / sizeof(T);
  constexpr std::size_t kLeastAhead = 32 * 1024;
  const std::size_t bytes = run.rows * sizeof(T);
  const std::size_t ahead = bytes < kLeastAhead ? kLeastAhead : bytes;
  const std::size_t whole = run.rows / kPart * kPart;
  std::size_t i = 0;
  for (; i < whole; i += kPart) {
#ifdef __GNUC__
    // A number, since a pointer may not leave the run; nothing is read through it.
    const auto next = reinterpret_cast<std::uintptr_t>(run.data) + i * sizeof(T) + ahead;
    __builtin_prefetch(reinterpret_cast<const void*>(next), 0, 2);  // NOLINT(performance-no-int-to-ptr)
#endif
    for (std::size_t k = 0; k < kPart; ++k) visit(run.value<T>(i + k));
  }
  for (; i < run.rows; ++i) visit(run.value<T>(i));
}

}  // namespace microparquet
