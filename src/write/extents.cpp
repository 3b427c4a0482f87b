#include "write/extents.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint32_t kFraction = 16;  // bytes a row are counted in 16ths

// Rows in a full page; 0 when it hangs on the values.
std::uint32_t rows_per_page(const ColumnWriter& column) {
  if (column.levels != nullptr || column.shape.value_bytes == 0) return 0;
  const std::uint32_t body = column.page_bytes - column.header_bytes;
  return column.field->type == Type::kBoolean ? body * 8 : body / column.shape.value_bytes;
}

std::uint64_t extent_for(const ColumnWriter& column, std::uint32_t rows) {
  std::uint64_t pages = 0;
  if (const std::uint32_t in_page = rows_per_page(column); in_page != 0) {
    pages = (rows + in_page - 1) / in_page;
  } else {
    // The mean of the past and three mean deviations, which is well over two sigma; and the page that is cut.
    const std::uint64_t per_row = column.stored_bytes_per_row + 3 * static_cast<std::uint64_t>(column.deviation);
    const std::uint64_t bytes = rows * per_row / kFraction;
    pages = static_cast<std::uint32_t>(bytes >> 9) / (detail::round_up(column.page_bytes, 512) >> 9) + 2;
  }
  return detail::round_up64(pages * column.page_bytes, detail::kSectorBytes);
}

std::uint64_t row_group_for(const WriterState& state, std::uint32_t rows) {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) bytes += extent_for(state.columns[i], rows);
  return bytes;
}

// Rows for which the pages of the fixed-width columns come out least empty: full pages of one of them. The
// choice is among the first columns only, since each costs a look at all.
std::uint32_t fit_rows(const WriterState& state, std::uint32_t rows, std::uint32_t bytes_per_row) {
  constexpr std::uint32_t kCandidates = 12;
  std::uint32_t best = rows;
  std::uint64_t least_waste = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < state.columns_count && i < kCandidates; ++i) {
    const std::uint32_t in_page = rows_per_page(state.columns[i]);
    if (in_page == 0 || in_page > rows) continue;
    const std::uint32_t candidate = rows / in_page * in_page;
    // Waste per row would need a division; over a nearly equal number of rows the sum serves as well.
    const std::uint64_t waste = row_group_for(state, candidate) -
                                static_cast<std::uint64_t>(candidate) * bytes_per_row / kFraction;
    if (waste < least_waste) {
      least_waste = waste;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

void expect_bytes_per_row(ColumnWriter& column) {
  constexpr std::uint32_t kUsualString = 24;  // with its length
  const std::uint32_t in_page = rows_per_page(column);
  std::uint32_t width = column.shape.value_bytes != 0 ? column.shape.value_bytes : kUsualString;
  if (in_page != 0) {
    column.stored_bytes_per_row = (column.page_bytes * kFraction + in_page - 1) / in_page;
  } else {
    column.stored_bytes_per_row = (width + 1) * kFraction;
    column.deviation = column.shape.value_bytes != 0 ? 0 : kUsualString * kFraction / 4;
  }
}

void learn_bytes_per_row(ColumnWriter& column, std::uint32_t rows, bool first) {
  constexpr std::int32_t kSmoothing = 4;
  constexpr std::int32_t kFirstDeviation = 8;  // an eighth
  if (rows_per_page(column) != 0) return;
  // In two divisions of 32 bits: the remainder is below `rows`.
  const std::uint32_t whole = column.chunk_bytes / rows;
  const std::uint32_t fraction = (column.chunk_bytes % rows) / ((rows + kFraction - 1) / kFraction);
  const auto now = static_cast<std::int32_t>(whole * kFraction + fraction);
  auto mean = static_cast<std::int32_t>(column.stored_bytes_per_row);
  auto deviation = static_cast<std::int32_t>(column.deviation);
  const std::int32_t off = now - mean;
  mean = first ? now : mean + off / kSmoothing;
  deviation = first ? now / kFirstDeviation : deviation + ((off < 0 ? -off : off) - deviation) / kSmoothing;
  column.stored_bytes_per_row = static_cast<std::uint32_t>(mean > 0 ? mean : 1);
  column.deviation = static_cast<std::uint32_t>(deviation);
}

std::uint32_t most_variable_column(const WriterState& state) {
  std::uint32_t last = state.columns_count - 1;
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    const ColumnWriter& column = state.columns[i];
    if (rows_per_page(column) != 0 || column.deviation + 1 <= most) continue;
    most = column.deviation + 1;
    last = i;
  }
  return last;
}

std::uint64_t plan_extents(WriterState& state, std::uint32_t target_bytes) {
  std::uint32_t bytes_per_row = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) bytes_per_row += state.columns[i].stored_bytes_per_row;
  const std::uint32_t limit = state.options->row_group_rows;
  std::uint32_t rows = limit;
  if (target_bytes != 0) {
    rows = target_bytes / (bytes_per_row / kFraction + 1);
    if (limit != 0 && rows > limit) rows = limit;
  }
  if (rows == 0) rows = 1;
  if (rows != limit) rows = fit_rows(state, rows, bytes_per_row);

  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    state.columns[i].extent_bytes = static_cast<std::uint32_t>(extent_for(state.columns[i], rows));
    bytes += state.columns[i].extent_bytes;
  }
  return bytes;
}

}  // namespace microparquet::write
