// Footer entry of one column in the current row group.
#pragma once

#include <cstdint>

#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Reads the entry of a column into `chunk` of the state. Asking for the same column again costs nothing; a
// later column is searched for from there on.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status find_chunk(detail::ReaderState& state, std::uint32_t column);

}  // namespace microparquet::read
