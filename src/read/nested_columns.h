// The columns of a typed nested schema in a file.
#pragma once

#include "microparquet/detail/nested_plan.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Finds the plan's columns by their names, and what its lists and structs are in the file: in any of the forms that
// LogicalTypes.md knows. Requires: no column of `reader` is being read, since names lie in their memory.
// - kInvalidArgument: one is not there, or is of another type, or not in such lists and structs
Status find_nested_columns(Reader& reader, const detail::NestedPlan& plan, detail::NestedPlace* places,
                           Span<ColumnChoice> columns);

}  // namespace microparquet::read
