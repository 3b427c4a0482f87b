// Whether columns agree on the structs and lists that they share.
#pragma once

#include <cstddef>
#include <vector>

#include "arrow_node.h"
#include "leaf_items.h"

namespace microparquet::desktop {

// The first leaf whose items make other structs or lists of what it shares with the leaf before it; leaves.size(): all agree.
// Arrays of leaves that disagree would have children of other lengths than their parents count on, or values in rows that
// are not theirs.
std::size_t first_disagreeing(const ArrowNode& row, const std::vector<LeafItems>& leaves);

}  // namespace microparquet::desktop
