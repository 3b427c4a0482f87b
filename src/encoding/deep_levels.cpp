// Levels of more than one bit, in the form and the space of those of one: a level takes at most a byte, up to a width
// of seven bits.
#include "microparquet/detail/deep_levels.h"

namespace microparquet::detail {
namespace {

const DeepLevels& levels_of(const ColumnWriter& column) {
  return static_cast<const DeepLevels&>(*column.plan->levels);
}

// A page that has just begun, or was taken up again, has levels of one bit.
void set_width(const ColumnWriter& column) { column.levels->bit_width = levels_of(column).bit_width(); }

}  // namespace

std::uint32_t prepare_deep_levels(ColumnWriter& column, std::uint32_t most) {
  const std::uint32_t rows = prepare_hybrid_levels(column, most);
  set_width(column);
  return rows;
}

void put_deep_levels(ColumnWriter& column, std::uint8_t level, std::uint32_t rows) {
  column.levels->put(level, rows);
  if (level != 0 && level != levels_of(column).highest()) column.levels->nulls += rows;
}

void finish_deep_levels(ColumnWriter& column) {
  set_width(column);
  finish_hybrid_levels(column);
}

}  // namespace microparquet::detail
