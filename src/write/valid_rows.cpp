#include "write/valid_rows.h"

#ifndef __OPTIMIZE_SIZE__

#include "base/endian.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;

// Without a branch: each value is stored, and stays where it is valid, else the next one takes its place.
template <typename Bits>
std::byte* keep_valid(std::byte* to, const std::byte* values, const std::uint8_t* valid, std::uint32_t rows) {
  for (std::uint32_t i = 0; i < rows; ++i) {
    util::store(to, util::load<Bits>(values + std::size_t{i} * sizeof(Bits)));
    to += valid[i] != 0 ? sizeof(Bits) : 0;
  }
  return to;
}

}  // namespace

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
