// What several files are like: a line each, and sums.
#pragma once

#include <string>
#include <vector>

#include "output.h"

namespace mpq_tool {

// Prints a table; with `json` an object for each file in a line. `time_name`: of the time column, empty: as
// find_time_column() has it. Returns the exit code: 0, or 1 when a file could not be read, of which it has told.
int print_info_of(const std::vector<std::string>& files, const std::string& time_name, bool json,
                  Output& output);

}  // namespace mpq_tool
