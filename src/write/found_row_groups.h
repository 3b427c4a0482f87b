// Places of a footer's row groups, from its entries.
#pragma once

#include <cstdint>

#include "write/found_bytes.h"

namespace microparquet::write {

// Passes the next `bytes` bytes of `in`, which are entries. Returns whether one of their column chunks begins
// at or after the sector `begin` and before `end`. A column's bounds may look like such a chunk, and rarely
// cause a wrong true; false is always right.
bool any_chunk_begins(FoundBytes& in, std::uint32_t bytes, detail::SectorIndex begin,
                      detail::SectorIndex end);

}  // namespace microparquet::write
