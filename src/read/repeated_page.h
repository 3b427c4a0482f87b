// From page to page of a repeated column's chunk.
#pragma once

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/status.h"

namespace microparquet::read {

// As next_page(), with repetition levels. Requires: the column is repeated, and its type that of its values.
// - kEnd: the chunk has no more items
Status next_repeated_page(detail::ColumnCursor& column);

// Requires: the column is repeated, and so has levels.
inline detail::RepeatedLevels& repeated_levels(const detail::ColumnCursor& column) {
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): they are not null, as said above
  return static_cast<detail::RepeatedLevels&>(*column.levels);
}

}  // namespace microparquet::read
