// Order of rows, such as the time order of a log.
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

// Compares each row with the one before. It is linked only if sorted_by() is used.
class SortChecker {
 public:
  // Receives the value of sorting column `key` in the current row; keys come in their order. `value` has the
  // form of Encoder::put, null for a null.
  virtual void observe(detail::SortState& state, std::size_t key, const SortingColumn& column,
                       const Field& field, const void* value) const = 0;

  // Writes RowGroup.sorting_columns after num_rows, unless the row group has broken the order. Returns the
  // first byte of total_compressed_size, which follows.
  virtual unsigned write_columns(thrift::WindowSink& sink, const detail::WriterState& state) const = 0;

 protected:
  ~SortChecker() = default;
};

// Checker of sorted_by(). Thread-safe.
class RowSortChecker final : public SortChecker {
 public:
  void observe(detail::SortState& state, std::size_t key, const SortingColumn& column, const Field& field,
               const void* value) const override;
  unsigned write_columns(thrift::WindowSink& sink, const detail::WriterState& state) const override;
};
// Object for SortOrder::checker; sorted_by() names it.
inline constexpr RowSortChecker kRowSortChecker;

// Returns an order for Options::sorting. `columns` is the caller's and must outlive the writer. A byte array
// is compared by its first 32 bytes; two longer ones that agree in these count as out of order. Decimals in
// bytes, and types without an order, always count as out of order.
constexpr SortOrder sorted_by(Span<const SortingColumn> columns) { return {columns, &kRowSortChecker}; }

}  // namespace microparquet
