// A file for each device of a lake, with all its rows.
#pragma once

#include "lake.h"
#include "lake_columns.h"

namespace mpq_tool {

// Makes what compact.sql does, by merging: LAKE/compact/DEVICE.parquet, in order of session and split, all of the same columns.
// False: a file has lists, structs or a type that is only read, or two columns that have one name in the lake, and nothing was
// made. Throws Failure.
bool compact_by_merging(const Lake& lake, const Renames& renames);

}  // namespace mpq_tool
