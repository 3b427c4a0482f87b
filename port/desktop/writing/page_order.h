// Whether the bounds of pages come in an order (parquet.thrift, BoundaryOrder).
#pragma once

#include "format/page_index_writer.h"

namespace microparquet::desktop {

enum class PageOrder : unsigned { kNone = 0, kAscending = 1, kDescending = 2 };

// Requires: each page has bounds, or nulls alone.
PageOrder order_of(const microparquet::detail::ColumnPlan& plan, microparquet::detail::ColumnNotes& notes);

}  // namespace microparquet::desktop
