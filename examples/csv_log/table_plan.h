// The columns of the Parquet file to be, before its first row is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "column_type.h"
#include "csv_reader.h"
#include "microparquet/resolution.h"
#include "settings.h"

namespace csv_log {

struct ColumnPlan {
  std::string name;
  ColumnType type;
  bool type_told = false;  // by --type
  bool optional = true;
  std::size_t longest = 0;  // bytes of the longest cell seen
  microparquet::Resolution resolution = {};
};

struct TablePlan {
  std::vector<ColumnPlan> columns;
  std::uint64_t rows = 0;  // seen
};

// Reads the header line. Throws Failure when there is none, or when names are missing, double or not UTF-8, or when
// the command line names a column that is not there.
TablePlan read_header(CsvReader& reader, const Settings& settings);

// Reads rows until the end, the first bad row, or `limit` rows, and settles the columns' types by them. With
// `kept`, the rows read are put there. A column of which all rows were seen is optional only when it has
// nulls.
void settle_types(CsvReader& reader, TablePlan& plan, std::uint64_t limit, std::vector<Row>* kept);

}  // namespace csv_log
