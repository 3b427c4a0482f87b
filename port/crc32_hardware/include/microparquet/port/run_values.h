// Values of runs, for a desktop program that reads a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/column_values.h"

namespace microparquet {

// Calls `visit(value)` for each value of a run from Reader::next_run(), in order. It prefetches memory as far
// after the run as the run is long, at least 32 KB; in a mapped file that is the next page of the column. The
// memory arrives while `visit` works, whereas a loop over ColumnRun::value() would wait for it in the
// reader's next call. Prefetching reads nothing, so there need not be any memory. In a file that is not
// mapped, or for columns of a page or two, a loop is some percent faster.
//
// Requires: the run is not null, and T is the C++ type of the column. Thread-safe.
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
    // This is a number, since a pointer may not leave the run; nothing is read through it.
    const auto next = reinterpret_cast<std::uintptr_t>(run.data) + i * sizeof(T) + ahead;
    __builtin_prefetch(reinterpret_cast<const void*>(next), 0, 2);  // NOLINT(performance-no-int-to-ptr)
#endif
    for (std::size_t k = 0; k < kPart; ++k) visit(run.value<T>(i + k));
  }
  for (; i < run.rows; ++i) visit(run.value<T>(i));
}

}  // namespace microparquet
