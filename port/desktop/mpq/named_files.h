// Files that a command line names, also by their folders.
#pragma once

#include <string>
#include <vector>

namespace mpq_tool {

// Each of `paths`, in their order: in place of a folder the files *.parquet and *.PQT in it and in the folders below, without
// hidden ones, and in place of a pattern with * or ? that no file is called, the files that match it; these in the order of
// their names. Throws Failure: a folder has no such file, or nothing matches.
std::vector<std::string> named_files(const std::vector<std::string>& paths);

}  // namespace mpq_tool
