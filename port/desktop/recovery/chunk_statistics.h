// Statistics of the values of a column chunk, for a footer that did not have them.
#pragma once

#include <cstdint>
#include <vector>

#include "byte_views.h"
#include "open_file.h"
#include "thrift_dom/thrift_value.h"
#include "value_summary.h"

namespace microparquet::recovery {

// A Statistics structure: bounds only where they are short.
ThriftValue chunk_statistics(std::uint64_t nulls, const ValueSummary::Bounds& bounds);

// The RowGroup structure `entry` of `rows` rows with statistics of each chunk whose values can be decoded. `pages` has the pages where
// it says; columns are flat.
Bytes with_statistics(File& pages, const std::vector<Leaf>& leaves, const Bytes& entry, std::uint64_t rows);

}  // namespace microparquet::recovery
