// Levels and values share a page buffer:
//
//   | header's room | 4 | levels -> | gap | values ->  |
//
// The final size of the levels is not known until the page is sealed: whenever rows are promised, the gap is
// set to what their levels need at the most, and sealing moves the values once more, to their final place.
#include "microparquet/detail/column_writer.h"
#include "microparquet/levels.h"
#include "util/bytes.h"
#include "util/endian.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;
using detail::kLevelRoom;

constexpr std::uint32_t kLengthBytes = 4;

// Moves the values so that the levels have `bytes` bytes to grow into.
void set_gap(ColumnWriter& column, std::uint32_t bytes) {
  std::byte* const to = column.levels->cursor + bytes;
  const auto size = static_cast<std::size_t>(column.cursor - column.values);
  if (to != column.values) util::move_bytes(to, column.values, size);
  column.values = to;
  column.cursor = to + size;
}

}  // namespace

void HybridLevels::begin_page(ColumnWriter& column) const {
  column.levels->bit_width = 1;
  column.values += kLengthBytes;
  column.cursor = column.values;
  column.levels->begin_page(column.values);
}

std::uint32_t HybridLevels::prepare_rows(ColumnWriter& column, std::uint32_t most) const {
  const auto used = static_cast<std::uint32_t>(column.levels->cursor - column.page) +
                    static_cast<std::uint32_t>(column.cursor - column.values) + kLevelRoom;
  if (used >= column.plan->page_bytes) return 0;
  const std::uint32_t free = column.plan->page_bytes - used;
  std::uint32_t rows = 0;
  if (column.plan->shape.value_bytes != 0) {
    rows = free / (column.plan->shape.value_bytes + 1);
  } else {
    constexpr std::uint32_t kAtOnce = 16;  // keeps the gap, which strings cannot use, small
    constexpr std::uint32_t kLeast = 5;    // an empty string and its level
    rows = free >= kAtOnce ? kAtOnce : free >= kLeast ? 1 : 0;
  }
  if (rows > most) rows = most;
  if (rows != 0) set_gap(column, rows + kLevelRoom);
  return rows;
}

void HybridLevels::put(ColumnWriter& column, std::uint8_t level, std::uint32_t rows) const {
  column.levels->put(level, rows);
}

std::uint32_t HybridLevels::finish(ColumnWriter& column) const {
  column.levels->finish();
  column.nulls += column.levels->nulls;
  return kLengthBytes + static_cast<std::uint32_t>(column.levels->cursor - column.levels->begin);
}

// Moving down, the levels go first; moving up, the values: neither overwrites the other.
void HybridLevels::join(ColumnWriter& column, std::byte* body, std::uint32_t level_bytes) const {
  const auto value_bytes = static_cast<std::size_t>(column.cursor - column.values);
  const std::uint32_t length = level_bytes - kLengthBytes;
  const bool down = body + kLengthBytes < column.levels->begin;
  if (down) util::move_bytes(body + kLengthBytes, column.levels->begin, length);
  util::move_bytes(body + level_bytes, column.values, value_bytes);
  if (!down) util::move_bytes(body + kLengthBytes, column.levels->begin, length);
  util::store(body, length);
}

}  // namespace microparquet
