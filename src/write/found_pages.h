// Pages that this writer has written, where they should be in the file.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// What is missing of FooterExtension::pages_sum, as it was, to the pages verified so far: in the draft of a
// footer that has come to its end, and so has its sum.
inline std::uint32_t& sum_left(detail::WriterState& state) { return state.footer.draft.contents.pages_sum; }

// Pages of a column follow each other in `bytes` bytes from `at` on and have rows from `row` to `end_row`, a
// value for each; the first one may be that of the chunk's dictionary, whose values are no rows. `partly`:
// the last footer describes those before the column's free_begin, and they are no part of the sum.
Status verify_pages(detail::WriterState& state, std::uint64_t at, std::uint32_t bytes, std::uint32_t row,
                    std::uint32_t end_row, const detail::ColumnWriter& column, bool partly);

}  // namespace microparquet::write
