// Columns that were read, as columns to be written.
#pragma once

#include "microparquet/schema.h"
#include "open_file.h"

namespace microparquet::recovery {

// In PLAIN, with bounds, named as the leaf, which must stay. A meaning that can only be read is left out. Requires:
// no INT96, not repeated, in no group.
Field written_field(const Leaf& leaf);

}  // namespace microparquet::recovery
