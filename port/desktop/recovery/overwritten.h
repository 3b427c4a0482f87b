// Bytes of row groups that later row groups were written over.
#pragma once

#include <vector>

#include "byte_views.h"
#include "view.h"

namespace microparquet::recovery {

// For each RowGroup structure the bytes of its column chunks that lie in chunks of those after it, ascending
// in each chunk. Throws Failure when one is malformed.
std::vector<std::vector<Piece>> find_overwritten(const std::vector<Bytes>& entries);

}  // namespace microparquet::recovery
