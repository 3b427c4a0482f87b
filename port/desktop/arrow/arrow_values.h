// Values of a column as an Arrow array has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "arrow_node.h"
#include "leaf_items.h"

namespace microparquet::desktop {

// Of each slot of an array 1, or 0 for a null.
using Slots = std::vector<std::uint8_t>;

// Appends the buffers that hold the values of `items`, with space in the places of nulls. Throws Failure: a decimal is longer
// than its type.
void add_values(const ArrowNode& node, const LeafItems& items, const Slots& slots,
                std::deque<std::vector<std::byte>>& buffers);

}  // namespace microparquet::desktop
