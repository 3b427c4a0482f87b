// The type of a column in Arrow's words.
#pragma once

#include "arrow_node.h"
#include "microparquet/file_metadata.h"

namespace microparquet::desktop {

// Sets the format, conversion and widths of a leaf.
void set_type(const SchemaElement& element, ArrowNode& node);

}  // namespace microparquet::desktop
