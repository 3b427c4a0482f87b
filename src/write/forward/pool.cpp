#include "write/forward/pool.h"

#include "base/bytes.h"
#include "microparquet/detail/pool_plan.h"

namespace microparquet::write {

namespace {

using detail::ColumnWriter;
using detail::WriterState;

// Parts of a byte in the forecast, for each of those here.
constexpr std::uint32_t kForecastParts = 1024 / detail::kRowParts;
// The least space in which a page is begun, after that for its header.
constexpr std::int32_t kLeastBody = 96;
// Share of what rows took that is kept free for those that take more.
constexpr std::uint32_t kFreeShare = 16;

// Returns the bytes that a row is expected to take in the column.
std::uint32_t expected_bytes(const ColumnWriter& column) {
  const detail::ColumnPlan& plan = *column.plan;
  return plan.rows_per_page == 0 ? column.stored_bytes_per_row / kForecastParts + 1
                                 : detail::row_share(plan.page_bytes, plan.rows_per_page);
}

// Returns the region for `rows` rows. A column whose values decide how its pages fill gets a page at least.
std::uint32_t region_for(const ColumnWriter& column, std::uint32_t rows) {
  const detail::ColumnPlan& plan = *column.plan;
  const std::uint32_t bytes = detail::region_bytes(plan.header_bytes, rows, expected_bytes(column));
  return plan.rows_per_page == 0 && bytes < plan.page_bytes ? plan.page_bytes : bytes;
}

// Opens the next page after those of the column. noinline: it has two callers.
[[gnu::noinline]] void open_page(const WriterState& state, ColumnWriter& column) {
  const std::uint32_t begin = detail::round_up(column.pool_begin + column.chunk_bytes, 8);
  const detail::ColumnPlan& plan = *column.plan;
  const auto page_bytes = static_cast<std::int32_t>(plan.page_bytes);
  std::int32_t least = plan.header_bytes + (plan.rows_per_page != 0 ? 1 : kLeastBody);
  if (least > page_bytes) least = page_bytes;
  auto bytes = static_cast<std::int32_t>(column.pool_end - begin);
  if (bytes > page_bytes) bytes = page_bytes;
  if (bytes < least) return;
  column.page = pages_of(state) + begin;
  column.end = column.page + bytes;
  column.open_page();
}

}  // namespace

// Lays them for rather more rows than fit, then for fewer. One row always fits.
void lay_regions(WriterState& state, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kMost = 0x7FFFFFFF / detail::kRowParts;
  if (detail::kDesktop && end - begin > kMost) end = begin + kMost;
  // The writer's sum rounds each column up.
  const auto expected = static_cast<std::int32_t>(state.bytes_per_row - state.plan->columns_count + 1);
  std::int32_t rows = 2;
  auto over = static_cast<std::int32_t>(begin - end);
  do {
    rows -= over * static_cast<std::int32_t>(detail::kRowParts) / expected + 1;
    if (rows < 1) rows = 1;
    std::uint32_t at = begin;
    for (ColumnWriter& column : columns_of(state)) {
      column.pool_begin = at;
      at += region_for(column, static_cast<std::uint32_t>(rows));
      column.pool_end = at;
    }
    over = static_cast<std::int32_t>(at - end);
  } while (over > 0);
  for (ColumnWriter& column : columns_of(state)) {
    column.begin_chunk();
    column.page_state = detail::PageState::kNone;
    open_page(state, column);
  }
}

Status keep_page(WriterState& state, ColumnWriter& column) {
  std::byte* const pool = pages_of(state);
  if (column.chunk_bytes == 0) {
    column.pool_begin = static_cast<std::uint32_t>(column.sealed - pool);
  } else {
    // The header takes less than its space, so the page moves towards the beginning.
    util::move_down(pool + column.pool_begin + column.chunk_bytes, column.sealed, column.sealed_bytes);
  }
  column.page_stored();
  open_page(state, column);
  return Status::kOk;
}

void observe_rows(WriterState& state) {
  const std::uint32_t rows = state.rows;
  std::uint32_t expected = state.plan->bytes_per_row;
  for (ColumnWriter& column : columns_of(state)) {
    if (column.plan->rows_per_page != 0) continue;
    const std::uint32_t bytes = column.chunk_bytes * detail::kRowParts / rows;
    column.stored_bytes_per_row = (bytes + bytes / kFreeShare) * kForecastParts;
    expected += expected_bytes(column);
  }
  state.bytes_per_row = expected;
}

}  // namespace microparquet::write
