// Row groups and pages around the rows.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Ends the open row group, if it has rows.
Status end_row_group(detail::WriterState& state);

// Stores the open pages, so that all columns end at the same row.
Status close_pages(detail::WriterState& state);

}  // namespace microparquet::write
