// Columns whose names have dots as members of structs: fix.lat and fix.lon are lat and lon of a struct fix.
#pragma once

#include <string>
#include <vector>

#include "microparquet/desktop/nested_file.h"
#include "microparquet/schema.h"
#include "table_plan.h"

namespace csv_log {

// Puts the members of each struct where its first one stands, since a file has them together. Throws Failure, whose message
// begins with `place`, where a column would be a struct and have values of its own.
void gather_members(std::vector<ColumnPlan>& columns, const std::string& place);

// Parts of a schema out of such columns. Requires: gather_members() has put these together.
std::vector<microparquet::desktop::NestedPart> struct_parts(microparquet::Schema fields);

}  // namespace csv_log
