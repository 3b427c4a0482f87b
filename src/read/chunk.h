// What the footer says of one column of the current row group.
#pragma once

#include <cstdint>

#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Reads the entry of a column into `chunk` of the state. That of the same column again is there already, and
// that of a later one is looked for after it.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status find_chunk(detail::ReaderState& state, std::uint32_t column);

}  // namespace microparquet::read
