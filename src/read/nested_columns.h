// Columns of a typed nested schema, found in a file.
#pragma once

#include "microparquet/detail/nested_plan.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Finds the plan's columns, lists and structs in the file by name, in each form that LogicalTypes.md allows.
// Requires: no column of `reader` is being read, since their memory holds names meanwhile.
// - kInvalidArgument: one is not there, or is of another type, or not in such lists and structs
Status find_nested_columns(Reader& reader, const detail::NestedPlan& plan, detail::NestedPlace* places,
                           Span<ColumnChoice> columns);

}  // namespace microparquet::read
