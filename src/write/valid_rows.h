// On desktops, rows of an optional column many at a time: where the caller says by a byte a row which have values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "microparquet/writer.h"

namespace microparquet::write {

#ifndef __OPTIMIZE_SIZE__

// Puts `rows` rows, whose values, or the places of nulls, lie at `values`; valid[i] is 0: null. False: the column has to
// take them one by one. Requires: the rows are promised.
bool put_valid_rows(detail::ColumnWriter& column, const std::byte* values, const std::uint8_t* valid,
                    std::uint32_t rows);

// Before the first row group: what optional columns will need of the file by the nulls of the rows that come first, where
// the options say how many rows a row group has.
void foresee_nulls(const detail::WriterState& state, const ColumnData* columns, std::size_t rows);

#else

inline bool put_valid_rows(detail::ColumnWriter&, const std::byte*, const std::uint8_t*, std::uint32_t) {
  return false;
}
inline void foresee_nulls(const detail::WriterState&, const ColumnData*, std::size_t) {}

#endif

}  // namespace microparquet::write
