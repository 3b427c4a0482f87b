// On desktops, rows of an optional column many at a time: where the caller says by a byte a row which have values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"

namespace microparquet::write {

#ifndef __OPTIMIZE_SIZE__

// Puts `rows` rows, whose values, or the places of nulls, lie at `values`; valid[i] is 0: null. False: the column has to
// take them one by one. Requires: the rows are promised.
bool put_valid_rows(detail::ColumnWriter& column, const std::byte* values, const std::uint8_t* valid,
                    std::uint32_t rows);

#else

inline bool put_valid_rows(detail::ColumnWriter&, const std::byte*, const std::uint8_t*, std::uint32_t) {
  return false;
}

#endif

}  // namespace microparquet::write
