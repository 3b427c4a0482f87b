// Verifying that pages this writer wrote are in the file.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns FooterExtension::pages_sum minus the pages verified so far. The draft stores it: a finished footer
// no longer needs its own sum.
inline std::uint32_t& sum_left(detail::WriterState& state) { return state.footer.draft.contents.pages_sum; }

// Verifies the pages of a column in `bytes` bytes from `at` on, which must follow each other and hold the
// rows from `row` to `end_row`, one value each. The first page may be the chunk's dictionary, whose values
// are no rows. `partly`: the last footer describes the pages before the column's free_begin, and the sum
// leaves them out.
Status verify_pages(detail::WriterState& state, std::uint64_t at, std::uint32_t bytes, std::uint32_t row,
                    std::uint32_t end_row, const detail::ColumnWriter& column, bool partly);

}  // namespace microparquet::write
