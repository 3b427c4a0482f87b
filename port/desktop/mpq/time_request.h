// What a command line says of the times of rows.
#pragma once

#include <string>

namespace mpq_tool {

struct TimeRequest {
  std::string column;  // --time: a column's name, and after a colon its unit; empty: the one that looks so
  std::string
      from;  // --time-from: names of columns that make a time together, as a line of CSV; empty: see above

  bool is_empty() const { return column.empty() && from.empty(); }
};

}  // namespace mpq_tool
