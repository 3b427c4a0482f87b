#include "write/in_place/extent_plan.h"
#include "microparquet/detail/desktop.h"
#include "write/layout_ops.h"

namespace microparquet::write {

using detail::ColumnWriter;
using detail::WriterState;

namespace {

// Returns the extent for `rows` rows of a fixed width: whole pages. On desktops, whose pages are large, the
// last page of a full row group is only as long as its rows need, with space for some pages that checkpoints
// cut.
std::uint32_t fixed_extent(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  const std::uint32_t in_page = column.plan->rows_per_page;
  const std::uint32_t page_bytes = column.plan->page_bytes;
  const std::uint32_t whole = (rows + in_page - 1) / in_page * page_bytes;
  const std::uint32_t last = rows % in_page;
  if (detail::kDesktop && rows == state.options->row_group_rows && last != 0) {
    constexpr std::uint32_t kCutPages = 2;
    const std::uint32_t cut = state.options->layout->checkpoints ? kCutPages * block_of(state).bytes() : 0;
    // The body takes its rows' share of a full page, rounded up to a value.
    const std::uint32_t header = column.plan->header_bytes;
    const std::uint64_t body = std::uint64_t{page_bytes - header} * last / in_page;
    const std::uint32_t bytes = header + static_cast<std::uint32_t>(body) + detail::kSectorBytes + cut;
    if (bytes < page_bytes) return whole - page_bytes + bytes;
  }
  return whole;
}

}  // namespace

std::uint32_t plan_extents(WriterState& state, std::uint32_t target_bytes) {
  std::uint32_t rows = target_bytes / (state.bytes_per_row / detail::kRowFraction + 1) + 1;
  const std::uint32_t limit = state.options->row_group_rows;
  if (limit != 0 && rows >= limit) {
    rows = limit;
  } else {
    // Whole pages of the narrowest columns that still have several pages in the row group: this leaves the
    // least space empty.
    std::uint32_t in_page = 1;
    for (const ColumnWriter& column : columns_of(state)) {
      const std::uint32_t candidate = column.plan->rows_per_page;
      if (candidate > in_page && candidate <= rows / 4) in_page = candidate;
    }
    rows = rows / in_page * in_page;
  }
  std::uint32_t bytes = 0;
  for (ColumnWriter& column : columns_of(state)) {
    const std::uint32_t extent = column.plan->rows_per_page != 0
                                     ? fixed_extent(state, column, rows)
                                     : state.plan->forecast->extent_bytes(state, column, rows);
    column.extent_bytes = block_of(state).round_up(extent);
    bytes += column.extent_bytes;
  }
  return bytes;
}

}  // namespace microparquet::write
