// Where the row groups of a footer lie, as its entries say.
#pragma once

#include <cstdint>

#include "write/found_bytes.h"

namespace microparquet::write {

// Passes the next `bytes` bytes of `in`, which are entries. Whether one of their column chunks begins from
// the sector `begin` on and before `end`: true whenever one does, and hardly ever else, where bounds of a
// column look so.
bool any_chunk_begins(FoundBytes& in, std::uint32_t bytes, detail::SectorIndex begin,
                      detail::SectorIndex end);

}  // namespace microparquet::write
