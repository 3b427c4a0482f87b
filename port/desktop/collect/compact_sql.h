// A script for DuckDB that makes a sorted file for each device of a lake.
#pragma once

#include <string>
#include <vector>

#include "lake.h"
#include "lake_columns.h"

namespace mpq_tool {

// The script, to be run in the lake's folder.
std::string compact_sql(const Lake& lake, const std::vector<LakeColumn>& columns);

// The device that a path in the lake names.
std::string device_folder(const std::string& path);

// Runs LAKE/compact.sql by `duckdb`. Throws Failure.
void run_compact_sql(const Lake& lake);

}  // namespace mpq_tool
