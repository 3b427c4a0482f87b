// Going from page to page in the chunk of a repeated column.
#pragma once

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Works as next_page(), with repetition levels. Requires: the column is repeated, and has the type of its
// values.
// - kEnd: the chunk has no more items
Status next_repeated_page(detail::ColumnCursor& column);

// Returns the levels of the column. Requires: the column is repeated.
inline detail::RepeatedLevels& repeated_levels(const detail::ColumnCursor& column) {
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): they are not null, as said above
  return static_cast<detail::RepeatedLevels&>(*column.levels);
}

}  // namespace microparquet::read
