// The writer's options for a file, and the contents of a file that rows are added to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "csv_settings.h"
#include "microparquet/file.h"
#include "microparquet/writer.h"
#include "output_file.h"
#include "table_plan.h"

namespace csv_log {

// A Parquet file that rows are to be added to: its columns decide.
struct ExistingFile {
  std::vector<ColumnPlan> columns;
  std::vector<NamedValue> key_values;
  bool structs = false;  // columns are members of structs
};

// The message about a file whose end is missing.
std::string torn(const std::string& name);

// Reads the footer of `file`, which messages call `name`. Throws Failure when no rows can be added to it.
ExistingFile read_existing(microparquet::File& file, const std::string& name);

// Gives the columns of `plan` the types they have in `existing`. Throws Failure when the columns have other
// names, or
// --type says otherwise.
void take_types(TablePlan& plan, const ExistingFile& existing, const Settings& settings);

// Returns those key-values of `wanted`, which come from `option`, that `existing` lacks. Throws Failure when
// it has another value for one.
std::vector<NamedValue> new_key_values(const ExistingFile& existing, const std::vector<NamedValue>& wanted,
                                       const std::string& option, const Settings& settings);

// The library keeps no more of a page free for what compression may add than 64 KiB.
inline constexpr std::uint32_t kMostCompressedPageBytes = 8'000'000;

// A page, in whole sectors, that takes a text of this many bytes.
std::uint32_t page_bytes_for(std::size_t text_bytes, const Settings& settings);

// The names are those in `plan`, which must stay.
std::vector<microparquet::Field> fields_of(const TablePlan& plan, const Settings& settings);

microparquet::Options options_of(const TablePlan& plan, const Settings& settings, const Output& output);

}  // namespace csv_log
