// From values in a buffer to a page that can be stored.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Ends the open page of `column`, which holds `rows` rows: its statistics are taken, its levels and values
// come together, and its header stands before them. The page is column.sealed until it is stored.
// Requires: rows != 0, and no page is sealed.
void seal_page(detail::ColumnWriter& column, std::uint32_t rows, const Options& options);

}  // namespace microparquet::write
