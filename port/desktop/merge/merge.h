// One file of many, as of the logs of a day.
#pragma once

#include <string>
#include <vector>

#include "output.h"
#include "time_request.h"

namespace mpq_tool {

struct MergeRequest {
  std::vector<std::string> paths;  // files, and folders of them
  std::string output;
  TimeRequest time;        // when a row was taken
  bool ticks = false;      // keep times as they are counted
  bool physical = false;   // values in the units that the key-values say
  bool overwrite = false;  // replace the output when it exists
};

// Writes the rows of all files to a new one, which gets its name when it is whole. Returns the exit code: 0, or 1 when a file
// was left out, or rows that no footer describes, of which it has told. Throws Failure: nothing was written.
int merge(const MergeRequest& request, Output& output);

}  // namespace mpq_tool
