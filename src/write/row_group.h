// Ending row groups and pages.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Takes the budget back, and counts the rows that used it.
void settle_rows(detail::WriterState& state);

// Ends the open row group, if it has rows.
Status end_row_group(detail::WriterState& state);

// Forgets the open row group.
void forget_open_rows(detail::WriterState& state);

// Stores the open pages, which ends all columns at the same row.
Status close_pages(detail::WriterState& state);

}  // namespace microparquet::write
