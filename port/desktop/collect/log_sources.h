// Where logs may be, by what a command line names.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mpq_tool {

// Told of a place that cannot be looked at, and why.
using TellProblem = std::function<void(const std::string& what)>;

// Files and devices that `paths` name, and in place of a folder the logs in it and in the folders below, in the order of
// their names: those called *.parquet or *.PQT, in letters of any size, and images of media, *.img. Links are not followed below a
// folder, and nothing in `lake` is named.
std::vector<std::string> log_sources(const std::vector<std::string>& paths, const std::string& lake,
                                     const TellProblem& problem);

}  // namespace mpq_tool
