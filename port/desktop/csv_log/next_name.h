// The files in which a live log continues: NAME.parquet, NAME-2.parquet, NAME-3.parquet.
#pragma once

#include <string>
#include <vector>

#include "table_plan.h"

namespace csv_log {

// The name with that number; 1: `path` itself.
std::string numbered_name(const std::string& path, unsigned number);

// The highest number of the files that are there, one after another; 0: there is none.
unsigned last_number(const std::string& path);

// Gives the column the narrowest type that takes what it has and `strangers`, values that do not fit it.
void widen(ColumnPlan& column, const std::vector<std::string>& strangers);

}  // namespace csv_log
