// A Parquet file that rows are to be added to: its columns decide.
#pragma once

#include <string>
#include <vector>

#include "csv_settings.h"
#include "microparquet/file.h"
#include "table_plan.h"

namespace csv_log {

struct ExistingFile {
  std::vector<ColumnPlan> columns;
  std::vector<NamedValue> key_values;
};

// What to say of a file whose end is missing.
std::string torn(const std::string& name);

// Reads the footer of `file`, which messages call `name`. Throws Failure when no rows can be added to it.
ExistingFile read_existing(microparquet::File& file, const std::string& name);

// Gives the columns of `plan` the types they have in `existing`. Throws Failure when the columns have other
// names, or
// --type says otherwise.
void take_types(TablePlan& plan, const ExistingFile& existing, const Settings& settings);

// Those of `wanted`, which come from `option`, that `existing` lacks. Throws Failure when it has another value for one.
std::vector<NamedValue> new_key_values(const ExistingFile& existing, const std::vector<NamedValue>& wanted,
                                       const std::string& option, const Settings& settings);

}  // namespace csv_log
