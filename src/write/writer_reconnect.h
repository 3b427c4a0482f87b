// A medium that is connected again: the pages and row groups found there.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "write/writer_resume.h"

namespace microparquet::write {

// Returns FooterExtension::pages_sum minus the pages verified so far. The draft stores it: a finished footer
// no longer needs its own sum.
inline std::uint32_t& sum_left(detail::WriterState& state) { return state.footer.draft.contents.pages_sum; }

// Places of a footer's row groups, from its entries.

// Passes the next `bytes` bytes of `in`, which are entries. Returns whether one of their column chunks begins
// at or after the sector `begin` and before `end`. A column's bounds may look like such a chunk, and rarely
// cause a wrong true; false is always right.
bool any_chunk_begins(FoundBytes& in, std::uint32_t bytes, detail::SectorIndex begin,
                      detail::SectorIndex end);

}  // namespace microparquet::write
