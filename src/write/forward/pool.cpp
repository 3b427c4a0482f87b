#include "write/forward/pool.h"

#include "microparquet/detail/pool_plan.h"
#include "write/forward/forward_file.h"

namespace microparquet::write {

namespace {

using detail::ColumnWriter;
using detail::WriterState;

// Bytes a row are counted in 16ths, the forecast's in 1024ths.
constexpr std::uint32_t kRowParts = 16;
constexpr std::uint32_t kForecastParts = 1024 / kRowParts;
// The least space in which a page is begun, after that for its header.
constexpr std::uint32_t kLeastBody = 96;
// Share of what rows took that is kept free for those that take more.
constexpr std::uint32_t kFreeShare = 16;

// Returns the bytes that a row is expected to take in a page of the column.
std::uint32_t expected_bytes(const ColumnWriter& column) {
  const detail::ColumnPlan& plan = *column.plan;
  if (plan.rows_per_page == 0) return column.stored_bytes_per_row / kForecastParts + 1;
  return (plan.page_bytes - plan.header_bytes) * kRowParts / plan.rows_per_page;
}

// Returns the bytes for `rows` rows, rounded up.
std::uint32_t bytes_of(std::uint32_t rows, std::uint32_t expected) {
  return rows / kRowParts * expected + (rows % kRowParts * expected + kRowParts - 1) / kRowParts;
}

// Returns the region for `rows` rows: whole pages and the rest of them, or what the rows before have taken.
std::uint32_t region_for(const ColumnWriter& column, std::uint32_t rows) {
  const detail::ColumnPlan& plan = *column.plan;
  const std::uint32_t in_page = plan.rows_per_page;
  const std::uint32_t least = detail::least_region(plan.page_bytes, plan.header_bytes, in_page);
  std::uint32_t bytes = plan.header_bytes;
  if (in_page != 0) {
    bytes += rows / in_page * plan.page_bytes;
    rows %= in_page;
  }
  bytes = detail::round_up(bytes + bytes_of(rows, expected_bytes(column)), 8);
  return bytes < least ? least : bytes;
}

// Opens the next page after those of the column. noinline: it has two callers.
[[gnu::noinline]] void open_page(const WriterState& state, ColumnWriter& column) {
  const std::uint32_t begin = detail::round_up(column.pool_begin + column.chunk_bytes, 8);
  if (begin >= column.pool_end) return;
  const detail::ColumnPlan& plan = *column.plan;
  std::uint32_t bytes = column.pool_end - begin;
  const std::uint32_t least = plan.header_bytes + (plan.rows_per_page != 0 ? 1 : kLeastBody);
  if (bytes > plan.page_bytes) {
    bytes = plan.page_bytes;
  } else if (bytes != plan.page_bytes && bytes < least) {
    return;
  }
  column.page = pages_of(state) + begin;
  column.end = column.page + bytes;
  column.open_page();
}

}  // namespace

std::uint32_t least_pool(const WriterState& state) {
  std::uint32_t bytes = pool_head_of(state);
  for (const ColumnWriter& column : columns_of(state)) bytes += region_for(column, 0);
  return bytes;
}

// More than half of the pool is the footer's if its writes then end on larger multiples, and rows keep enough.
Span<std::byte> second_half_of(const WriterState& state) {
  constexpr std::size_t kEnough = 4 << 10;
  const Span<std::byte> pool = pool_of(state);
  std::size_t place = kMostPlace;
  while (place > pool.size()) place /= 2;
  std::size_t first = pool.size() / 2;
  if (place > first && pool.size() - place >= kEnough) first = pool.size() - place;
  first &= ~std::size_t{detail::kMaxTransferAlign - 1};
  return first < least_pool(state) ? Span<std::byte>() : pool.subspan(first, pool.size() - first);
}

void lay_regions(WriterState& state, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t bytes = end - begin;
  std::uint32_t expected = 0;
  for (const ColumnWriter& column : columns_of(state)) expected += expected_bytes(column);
  std::uint32_t rows = bytes / (expected / kRowParts + 1) + 1;
  std::uint32_t over = 0;
  do {
    std::uint32_t sum = 0;
    for (const ColumnWriter& column : columns_of(state)) sum += region_for(column, rows);
    over = sum > bytes ? sum - bytes : 0;
    const std::uint32_t less = over / (expected / kRowParts + 1) + 1;
    rows = over == 0 ? rows : rows > less ? rows - less : 0;
  } while (over != 0 && rows != 0);
  std::uint32_t at = begin;
  for (ColumnWriter& column : columns_of(state)) {
    column.begin_chunk();
    column.page_state = detail::PageState::kNone;
    column.pool_begin = at;
    at += region_for(column, rows);
    column.pool_end = at;
    open_page(state, column);
  }
}

void keep_page(const WriterState& state, ColumnWriter& column) {
  std::byte* const pool = pages_of(state);
  if (column.chunk_bytes == 0) {
    column.pool_begin = static_cast<std::uint32_t>(column.sealed - pool);
  } else {
    // The header takes less than its space, so the page moves towards the beginning.
    move_forward(pool + column.pool_begin + column.chunk_bytes, column.sealed, column.sealed_bytes);
  }
  column.page_stored();
  open_page(state, column);
}

void observe_rows(const WriterState& state, std::uint32_t rows) {
  for (ColumnWriter& column : columns_of(state)) {
    if (column.plan->rows_per_page != 0) continue;
    const std::uint32_t bytes =
        column.chunk_bytes / rows * kRowParts + column.chunk_bytes % rows * kRowParts / rows;
    column.stored_bytes_per_row = (bytes + bytes / kFreeShare) * kForecastParts;
  }
}

}  // namespace microparquet::write
