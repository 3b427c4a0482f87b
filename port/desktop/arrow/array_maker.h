// Arrow arrays made of columns' items.
#pragma once

#include <cstdint>
#include <vector>

#include "arrow_node.h"
#include "leaf_items.h"
#include "microparquet/desktop/arrow_abi.h"

namespace microparquet::desktop {

// A struct array with a slot for each of `rows` rows, whose items all `leaves` have. It owns its memory. Throws Failure: a
// list or a decimal is longer than its type in Arrow can hold.
ArrowArray make_array(const ArrowNode& row, const std::vector<LeafItems>& leaves, std::uint64_t rows);

// The type of the arrays of `node`, the row; it owns its memory. `metadata` are those of the whole, as Arrow encodes them; empty: none.
ArrowSchema make_schema(const ArrowNode& node, const std::string& metadata);

}  // namespace microparquet::desktop
