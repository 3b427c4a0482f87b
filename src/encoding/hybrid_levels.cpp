// Levels and values in one page buffer:
//
//   | header's space | 4 | levels -> | gap | values ->  |
//
// The final size of the levels is known only when the page is sealed. Each budget sets the gap to the most
// that the levels of its rows can need. Sealing moves the levels up to the values, and then both to their
// final place.
#include "base/bytes.h"
#include "base/endian.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/levels.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;
using encoding::kLengthBytes;

constexpr std::uint32_t kLevelBytes = 1;  // largest size of a level
constexpr std::uint32_t kAlignment = 8;   // alignment of fixed-width values

// Moves the values, to give the levels `bytes` bytes to grow into.
void set_gap(ColumnWriter& column, std::uint32_t bytes) {
  const auto levels = static_cast<std::uint32_t>(column.levels->cursor - column.page);
  const bool fixed = column.plan->shape.value_bytes != 0;
  std::byte* const to = column.page + detail::round_up(levels + bytes, fixed ? kAlignment : 1);
  const auto size = static_cast<std::size_t>(column.cursor - column.values);
  if (to != column.values) util::move_bytes(to, column.values, size);
  column.values = to;
  column.cursor = to + size;
}

// Returns whether no rows have been promised in this page: then the values have not been moved, with the
// bytes that begin the page.
bool is_fresh(const ColumnWriter& column) { return column.values == column.page + column.plan->header_bytes; }

// Returns whether the column has large pages of PLAIN: a budget counts a byte of level a row, so one page
// would get several budgets, each of which moves all values.
[[maybe_unused]] bool is_large(const ColumnWriter& column) {
  constexpr std::uint32_t kLarge = 4096;
  return column.plan->encoder == &kPlainFixed && column.plan->page_bytes >= kLarge;
}

// Levels of one bit take at worst two bytes for eight rows: a run or a group with its header.
constexpr std::uint32_t kRowsPerByte = 4;

// Returns how many rows fit without moving levels or values.
[[maybe_unused]] std::uint32_t rows_in_place(const ColumnWriter& column) {
  constexpr std::uint32_t kReserve = detail::kMaxLevelBytes + 1;
  const auto gap = static_cast<std::uint32_t>(column.values - column.levels->cursor);
  const auto free = static_cast<std::uint32_t>(column.end - column.cursor);
  const std::uint32_t width = column.plan->shape.value_bytes;
  const std::uint32_t of_values = width != 0 ? free / width : 0;
  const std::uint32_t of_levels = gap > kReserve ? (gap - kReserve) * kRowsPerByte : 0;
  return of_levels < of_values ? of_levels : of_values;
}

// Prepares a large page. Null rows leave space for more rows than were promised when the page began, and so
// does the gap for their levels: values are moved only if that gains much more.
[[maybe_unused]] std::uint32_t prepare_large(ColumnWriter& column, std::uint32_t free, std::uint32_t most) {
  constexpr std::uint32_t kMuchMore = 4;
  const std::uint32_t four_rows = kRowsPerByte * column.plan->shape.value_bytes + kLevelBytes;
  std::uint32_t rows = free / four_rows * kRowsPerByte;
  if (rows > most) rows = most;
  const std::uint32_t in_place = is_fresh(column) ? 0 : rows_in_place(column);
  if (in_place != 0 && in_place >= rows / kMuchMore) return in_place < most ? in_place : most;
  if (rows != 0) set_gap(column, rows / kRowsPerByte + 1 + detail::kMaxLevelBytes);
  return rows;
}

void begin_levels(ColumnWriter& column) {
  column.levels->bit_width = 1;
  column.levels->begin_page(column.values + kLengthBytes);
}

}  // namespace

std::uint32_t detail::prepare_hybrid_levels(ColumnWriter& column, std::uint32_t most) {
  if (is_fresh(column)) begin_levels(column);
  const auto used = static_cast<std::uint32_t>(column.levels->cursor - column.page) +
                    static_cast<std::uint32_t>(column.cursor - column.values) + kMaxLevelBytes;
  const auto page_bytes = static_cast<std::uint32_t>(column.end - column.page);
  if (used >= page_bytes) return 0;
  std::uint32_t free = page_bytes - used;
  if (column.plan->shape.value_bytes != 0) free -= free < kAlignment ? free : kAlignment - 1;
  if constexpr (kDesktop) {
    // The last rows are promised one by one, which fills the page.
    const std::uint32_t promised = is_large(column) ? prepare_large(column, free, most) : 0;
    if (promised != 0) return promised;
  }
  std::uint32_t rows = column.plan->encoder->values_that_fit(column, free, kLevelBytes);
  if (rows > most) rows = most;
  if (rows != 0) set_gap(column, rows + kMaxLevelBytes);
  return rows;
}

void detail::put_hybrid_levels(ColumnWriter& column, std::uint8_t level, std::uint32_t rows) {
  column.levels->put(level, rows);
}

void detail::finish_hybrid_levels(ColumnWriter& column) {
  detail::LevelEncoder& levels = *column.levels;
  levels.finish();
  column.nulls += levels.nulls;
  const auto length = static_cast<std::uint32_t>(levels.cursor - levels.begin);
  std::byte* const to = column.values - length;
  util::move_bytes(to, levels.begin, length);
  column.values = to - kLengthBytes;
  util::store(column.values, length);
}

}  // namespace microparquet
