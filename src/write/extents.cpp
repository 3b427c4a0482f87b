// Columns of a fixed width fill their pages alike: their extents are exact. What the others need is foreseen
// from the past, with the mean deviation as margin; only those have a deviation.
#include "write/extents.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint32_t kFraction = 16;  // bytes a row are counted in 16ths

// Rows in a full page; 0 when it hangs on the values.
std::uint32_t rows_per_page(const ColumnWriter& column) {
  if (column.deviation != 0) return 0;
  const std::uint32_t body = column.page_bytes - column.header_bytes;
  return column.field->type == Type::kBoolean ? body * 8 : body / column.shape.value_bytes;
}

std::uint32_t extent_for(const ColumnWriter& column, std::uint32_t rows) {
  std::uint32_t pages = 0;
  if (const std::uint32_t in_page = rows_per_page(column); in_page != 0) {
    pages = (rows + in_page - 1) / in_page;
  } else {
    // Three mean deviations are well over two sigma; rounded up, for the last page is cut.
    const std::uint32_t per_row = column.stored_bytes_per_row + 3 * column.deviation;
    const std::uint64_t bytes = static_cast<std::uint64_t>(rows) * per_row / kFraction;
    pages = static_cast<std::uint32_t>(bytes >> 7) / (column.page_bytes >> 7) + 1;
  }
  return detail::round_up(pages * column.page_bytes, detail::kSectorBytes);
}

}  // namespace

void expect_bytes_per_row(ColumnWriter& column) {
  constexpr std::uint32_t kUsualString = 24;  // with its length
  const std::uint32_t width = column.shape.value_bytes;
  if (column.levels == nullptr && width != 0) {
    column.stored_bytes_per_row = column.page_bytes * kFraction / rows_per_page(column) + 1;
  } else {
    column.stored_bytes_per_row = ((width != 0 ? width : kUsualString) + 1) * kFraction;
    column.deviation = width != 0 ? 1 : kUsualString * kFraction / 4;
  }
}

void learn_bytes_per_row(WriterState& state) {
  constexpr std::int32_t kSmoothing = 4;
  constexpr std::int32_t kFirstDeviation = 8;  // an eighth
  const std::uint32_t rows = state.rows;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    ColumnWriter& column = state.columns[i];
    if (column.deviation == 0) continue;
    // In two divisions of 32 bits: the remainder is below `rows`.
    const std::uint32_t whole = column.chunk_bytes / rows;
    const std::uint32_t fraction = (column.chunk_bytes % rows) / ((rows + kFraction - 1) / kFraction);
    const auto now = static_cast<std::int32_t>(whole * kFraction + fraction);
    auto mean = static_cast<std::int32_t>(column.stored_bytes_per_row);
    auto deviation = static_cast<std::int32_t>(column.deviation);
    const std::int32_t off = now - mean;
    const bool first = state.footer.row_groups == 1;  // counts as much as all that was expected before it
    mean = first ? now : mean + off / kSmoothing;
    deviation = first ? now / kFirstDeviation : deviation + ((off < 0 ? -off : off) - deviation) / kSmoothing;
    column.stored_bytes_per_row = static_cast<std::uint32_t>(mean > 0 ? mean : 1);
    column.deviation = static_cast<std::uint32_t>(deviation > 0 ? deviation : 1);
  }
}

std::uint32_t most_variable_column(const WriterState& state) {
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    if (state.columns[i].deviation >= state.columns[last].deviation) last = i;
  }
  return last;
}

std::uint32_t plan_extents(WriterState& state, std::uint32_t target_bytes) {
  std::uint32_t bytes_per_row = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) bytes_per_row += state.columns[i].stored_bytes_per_row;
  std::uint32_t rows = target_bytes / (bytes_per_row / kFraction + 1) + 1;
  const std::uint32_t limit = state.options->row_group_rows;
  if (limit != 0 && rows >= limit) {
    rows = limit;
  } else {
    // Whole pages of the narrowest columns that have some pages in the row group: least of them stays empty.
    std::uint32_t in_page = 1;
    for (std::uint32_t i = 0; i < state.columns_count; ++i) {
      const std::uint32_t candidate = rows_per_page(state.columns[i]);
      if (candidate > in_page && candidate <= rows / 4) in_page = candidate;
    }
    rows = rows / in_page * in_page;
  }
  std::uint32_t bytes = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    state.columns[i].extent_bytes = extent_for(state.columns[i], rows);
    bytes += state.columns[i].extent_bytes;
  }
  return bytes;
}

}  // namespace microparquet::write
