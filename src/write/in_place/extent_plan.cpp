#include "write/in_place/extent_plan.h"
#include "write/layout_ops.h"

namespace microparquet::write {

using detail::ColumnWriter;
using detail::WriterState;

std::uint32_t plan_extents(WriterState& state, std::uint32_t target_bytes) {
  std::uint32_t rows = target_bytes / (state.bytes_per_row / detail::kRowFraction + 1) + 1;
  const std::uint32_t limit = state.options->row_group_rows;
  if (limit != 0 && rows >= limit) {
    rows = limit;
  } else {
    // Whole pages of the narrowest columns that have some pages in the row group: least of them stays empty.
    std::uint32_t in_page = 1;
    for (const ColumnWriter& column : columns_of(state)) {
      const std::uint32_t candidate = column.plan->rows_per_page;
      if (candidate > in_page && candidate <= rows / 4) in_page = candidate;
    }
    rows = rows / in_page * in_page;
  }
  std::uint32_t bytes = 0;
  for (ColumnWriter& column : columns_of(state)) {
    const std::uint32_t in_page = column.plan->rows_per_page;
    const std::uint32_t extent = in_page != 0 ? (rows + in_page - 1) / in_page * column.plan->page_bytes
                                              : state.plan->forecast->extent_bytes(state, column, rows);
    column.extent_bytes = block_of(state).round_up(extent);
    bytes += column.extent_bytes;
  }
  return bytes;
}

}  // namespace microparquet::write
