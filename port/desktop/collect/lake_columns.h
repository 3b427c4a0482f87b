// The columns of all files of a lake together, and how its README tells of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collected.h"

namespace mpq_tool {

// Earlier names of columns, by their new names.
using Renames = std::map<std::string, std::vector<std::string>>;

// Adds what a command line says, "NEW=OLD" each, to what a lake remembers in lines of the same form. Throws WrongRequest.
Renames read_renames(const std::string& remembered, const std::vector<std::string>& words);
std::string renames_text(const Renames& renames);

// The name in the lake of a file's column. Empty: it is no text, for which no language has a form.
std::string name_in_lake(const std::string& name, const Renames& renames);

struct LakeColumn {
  std::string name;
  std::vector<std::string> names;  // names that it has in files: its own, and earlier ones
  std::string type;                // the widest, as CollectedColumn has it
};

// Columns in the order in which the files have them; without those whose names are no text, for which no
// language has a form.
std::vector<LakeColumn> lake_columns(const std::map<std::string, Collected>& files, const Renames& renames);

// A type that has the values of both: "int64" for "int32" and "int64", "double" for a number and a fraction, else "string".
std::string wider_type(const std::string& a, const std::string& b);

// Programs that have names of their own for types.
enum class Dialect { kDuckDb, kPolars, kArrow, kSpark, kClickHouse };

// Empty: it has no such type, or reads it best by itself.
std::string type_in(Dialect dialect, const std::string& type);

// LAKE/README.md: how DuckDB, Polars, pyarrow, Spark and ClickHouse read all files as one table.
std::string lake_readme(const std::vector<LakeColumn>& columns);

}  // namespace mpq_tool
