#include "write/valid_rows.h"

#ifndef __OPTIMIZE_SIZE__

#include "base/endian.h"
#include "write/in_place/extent_plan.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

// Without a branch: each value is stored, and stays where it is valid, else the next one takes its place.
template <typename Bits>
std::byte* keep_valid(std::byte* to, const std::byte* values, const std::uint8_t* valid, std::uint32_t rows) {
  for (std::uint32_t i = 0; i < rows; ++i) {
    util::store(to, util::load<Bits>(values + std::size_t{i} * sizeof(Bits)));
    to += valid[i] != 0 ? sizeof(Bits) : 0;
  }
  return to;
}

// In 1024ths of a byte a row: values, levels at their worst, and what page headers and padding take.
std::uint32_t expected_bytes(std::uint32_t width, const std::uint8_t* valid, std::size_t rows) {
  std::size_t present = 0;
  for (std::size_t i = 0; i < rows; ++i) present += valid[i] != 0 ? 1U : 0U;
  const auto values = static_cast<std::uint32_t>(std::uint64_t{present} * width * kFraction / rows);
  const std::uint32_t bytes = values + kFraction / 4;
  return bytes + bytes / 32;
}

}  // namespace

void foresee_nulls(const WriterState& state, const ColumnData* columns, std::size_t rows) {
  constexpr std::size_t kEnough = 1024;
  constexpr std::uint32_t kDeviation = 128;  // a small part: rows that come later are like these
  const Options& options = *state.options;
  if (state.row_group_open || rows < kEnough || options.row_group_rows == 0 || !options.layout->in_place)
    return;
  for (std::uint32_t i = 0; i < state.plan->columns_count; ++i) {
    ColumnWriter& column = state.columns[i];
    if (column.levels == nullptr || columns[i].valid == nullptr || column.deviation != kNotLearned) continue;
    if (column.plan->encoder != &kPlainFixed) continue;
    column.stored_bytes_per_row = expected_bytes(column.plan->shape.value_bytes, columns[i].valid, rows);
    column.deviation = column.stored_bytes_per_row / kDeviation;
  }
}

bool put_valid_rows(ColumnWriter& column, const std::byte* values, const std::uint8_t* valid,
                    std::uint32_t rows) {
  const std::uint32_t width = column.plan->shape.value_bytes;
  if (column.plan->encoder != &kPlainFixed || column.plan->levels != &kHybridLevels) return false;
  if (column.levels->bit_width != 1 || (width != 4 && width != 8)) return false;
  const std::uint32_t present = column.levels->put_valid(valid, rows);
  if (present == rows) {
    column.plan->encoder->put(column, values, rows);
  } else if (present != 0) {
    column.cursor = width == 8 ? keep_valid<std::uint64_t>(column.cursor, values, valid, rows)
                               : keep_valid<std::uint32_t>(column.cursor, values, valid, rows);
  }
  return true;
}

}  // namespace microparquet::write

#endif
