#include "write/desktop/valid_rows.h"

#include "base/endian.h"
#include "base/marks.h"
#include "write/in_place/extent_plan.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint32_t kBlock = 64;  // rows that are copied, or skipped, at once

enum class Block { kMixed, kNull, kPresent };

Block kind_of(const std::uint8_t* valid) {
  std::uint64_t any = 0;
  std::uint64_t all = util::kEachByte;
  for (std::uint32_t i = 0; i < kBlock; i += util::kMarks) {
    const std::uint64_t marks = util::marks_at(valid + i);
    any |= marks;
    all &= marks;
  }
  if (any == 0) return Block::kNull;
  return all == util::kEachByte ? Block::kPresent : Block::kMixed;
}

// Counts rows in consecutive blocks of the first block's kind, which `kind` becomes. If there are fewer rows
// than a block, it returns them all.
std::uint32_t alike_rows(const std::uint8_t* valid, std::uint32_t rows, Block& kind) {
  kind = Block::kMixed;
  if (rows < kBlock) return rows;
  kind = kind_of(valid);
  std::uint32_t alike = kBlock;
  while (rows - alike >= kBlock && kind_of(valid + alike) == kind) alike += kBlock;
  return alike;
}

// Stores each value without a branch: the next value overwrites it unless it is valid.
template <typename Bits>
std::byte* keep_valid(std::byte* to, const std::byte* values, const std::uint8_t* valid, std::uint32_t rows) {
  for (std::uint32_t i = 0; i < rows; ++i) {
    util::store(to, util::load<Bits>(values + std::size_t{i} * sizeof(Bits)));
    to += valid[i] != 0 ? sizeof(Bits) : 0;
  }
  return to;
}

void put_mixed(ColumnWriter& column, const std::byte* values, const std::uint8_t* valid, std::uint32_t rows) {
  if (column.levels->put_valid(valid, rows) == 0) return;
  const bool wide = column.plan->shape.value_bytes == sizeof(std::uint64_t);
  column.cursor = wide ? keep_valid<std::uint64_t>(column.cursor, values, valid, rows)
                       : keep_valid<std::uint32_t>(column.cursor, values, valid, rows);
}

// Returns the expected bytes a row, in 1024ths: values, levels at their worst, and a share of page headers
// and padding.
std::uint32_t expected_bytes(std::uint32_t width, const std::uint8_t* valid, std::size_t rows) {
  const std::uint64_t present = util::count_marks(valid, rows);
  const auto values = static_cast<std::uint32_t>(present * width * kFraction / rows);
  const std::uint32_t bytes = values + kFraction / 4;
  return bytes + bytes / 32;
}

}  // namespace

void foresee_nulls(const WriterState& state, const ColumnData* columns, std::size_t rows) {
  constexpr std::size_t kEnough = 1024;
  constexpr std::uint32_t kDeviation = 128;  // small, since later rows are like these
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
  while (rows != 0) {
    Block kind = Block::kMixed;
    const std::uint32_t alike = alike_rows(valid, rows, kind);
    if (kind == Block::kMixed) {
      put_mixed(column, values, valid, alike);
    } else {
      column.levels->put(kind == Block::kPresent ? 1 : 0, alike);
      if (kind == Block::kPresent) column.plan->encoder->put(column, values, alike);
    }
    values += std::size_t{alike} * width;
    valid += alike;
    rows -= alike;
  }
  return true;
}

}  // namespace microparquet::write
