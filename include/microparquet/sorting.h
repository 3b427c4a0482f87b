// Rows that arrive in an order, as those of a logger do by time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet {

namespace thrift {
class WindowSink;
}
namespace detail {
struct SortState;
struct WriterState;
}  // namespace detail

// Compares each row with the one before. Linked only when sorted_by() is used.
class SortChecker {
 public:
  // Receives the value of sorting column `key` in the current row; the keys come in their order. `value` is
  // as in Encoder::put, null for a null.
  virtual void observe(detail::SortState& state, std::size_t key, const SortingColumn& column,
                       const Field& field, const void* value) const = 0;

  // Writes RowGroup.sorting_columns after num_rows, unless the row group has broken the order. Returns what
  // total_compressed_size, which follows, begins with.
  virtual unsigned write_columns(thrift::WindowSink& sink, const detail::WriterState& state) const = 0;

 protected:
  ~SortChecker() = default;
};

// The checker of sorted_by(). Thread-safe.
class RowSortChecker final : public SortChecker {
 public:
  void observe(detail::SortState& state, std::size_t key, const SortingColumn& column, const Field& field,
               const void* value) const override;
  unsigned write_columns(thrift::WindowSink& sink, const detail::WriterState& state) const override;
};
// For SortOrder::checker; sorted_by() names it.
inline constexpr RowSortChecker kRowSortChecker;

// For Options::sorting. `columns` is the caller's and must outlive the writer. A byte array is compared by
// its first 32 bytes; equal there and longer counts as order not kept. So do the values of decimals in bytes,
// and of types without an order.
constexpr SortOrder sorted_by(Span<const SortingColumn> columns) { return {columns, &kRowSortChecker}; }

}  // namespace microparquet
