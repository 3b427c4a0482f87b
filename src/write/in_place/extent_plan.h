// Planning the size of a row group, and dividing it among the columns.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Bytes a row of one column are counted in 1024ths, since differences may take less than a byte.
inline constexpr std::uint32_t kFraction = 1024;
// Value of ColumnWriter::deviation before the column has been observed.
inline constexpr std::uint32_t kNotLearned = 0xFFFFFFFF;

// Sets extent_bytes of every column for a row group of about `target_bytes`, or of Options::row_group_rows if
// that is less. Returns the sum of the extents, which are whole blocks.
std::uint32_t plan_extents(detail::WriterState& state, std::uint32_t target_bytes);

// Lays the extents one after the other from `begin` on. Returns the end of the last one.
inline detail::SectorIndex lay_planned(detail::WriterState& state, std::uint64_t begin) {
  for (detail::ColumnWriter& column : columns_of(state)) {
    column.chunk_begin = begin;
    begin += column.extent_bytes;
  }
  return detail::SectorIndex::of(begin);
}

// Gathering the chunks of the last row group when the file is closed.

// Moves column chunks of the ending row group, whose pages are all stored, into the unused space of other
// columns' extents, which makes the file end earlier. It moves nothing if a footer describes the row group,
// and never a chunk over itself: after a power cut or a failed call the old copy is intact.
Status gather_chunks(detail::WriterState& state);

}  // namespace microparquet::write
