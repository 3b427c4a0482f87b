// What stands beside the files of a lake for who opens it.
#pragma once

#include <string>
#include <vector>

#include "lake_columns.h"

namespace mpq_tool {

// LAKE/README.md: how DuckDB, Polars, pyarrow, Spark and ClickHouse read all files as one table.
std::string lake_readme(const std::vector<LakeColumn>& columns);

}  // namespace mpq_tool
