// A medium that is connected again: the pages and row groups found there.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "write/writer_resume.h"

namespace microparquet::write {

// Verifying that pages this writer wrote are in the file.

// Returns FooterExtension::pages_sum minus the pages verified so far. The draft stores it: a finished footer
// no longer needs its own sum.
inline std::uint32_t& sum_left(detail::WriterState& state) { return state.footer.draft.contents.pages_sum; }

// Verifies the pages of a column in `bytes` bytes from `at` on, which must follow each other and hold the
// rows from `row` to `end_row`, one value each. The first page may be the chunk's dictionary, whose values
// are no rows. `partly`: the last footer describes the pages before the column's free_begin, and the sum
// leaves them out.
Status verify_pages(detail::WriterState& state, std::uint64_t at, std::uint32_t bytes, std::uint32_t row,
                    std::uint32_t end_row, const detail::ColumnWriter& column, bool partly);

// Places of a footer's row groups, from its entries.

// Passes the next `bytes` bytes of `in`, which are entries. Returns whether one of their column chunks begins
// at or after the sector `begin` and before `end`. A column's bounds may look like such a chunk, and rarely
// cause a wrong true; false is always right.
bool any_chunk_begins(FoundBytes& in, std::uint32_t bytes, detail::SectorIndex begin,
                      detail::SectorIndex end);

}  // namespace microparquet::write
