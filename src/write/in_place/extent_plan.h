// How large a row group shall be, and how its bytes are shared out among the columns.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Bytes a row of one column are counted in 1024ths: differences may take less than one.
inline constexpr std::uint32_t kFraction = 1024;
// ColumnWriter::deviation, of a column that has not been observed.
inline constexpr std::uint32_t kNotLearned = 0xFFFFFFFF;

// Sets extent_bytes of every column for a row group of about `target_bytes`, or of Options::row_group_rows
// where that is less. The sum of the extents, which are whole blocks.
std::uint32_t plan_extents(detail::WriterState& state, std::uint32_t target_bytes);

// Lays the extents one after the other, from `begin` on; returns where the last one ends.
inline detail::SectorIndex lay_planned(detail::WriterState& state, std::uint64_t begin) {
  for (detail::ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = begin;
    begin += column.extent_bytes;
  }
  return detail::SectorIndex::of(begin);
}

}  // namespace microparquet::write
