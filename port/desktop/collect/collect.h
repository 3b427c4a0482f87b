// mpq collect: logs from cards and folders, into one place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "output.h"
#include "time_request.h"

namespace mpq_tool {

struct CollectRequest {
  std::vector<std::string> sources;  // files, folders, images, block devices
  std::string lake;
  std::vector<std::string> renames;  // "new=old" each: what a column was called before
  TimeRequest time;                  // when the rows of files that have its columns were taken
  bool compact = false;              // have DuckDB make the compact files, too
};

// Returns the exit code: 0 all that was found is in the lake, 1 some of it is not, of which it has told, 2 nothing more
// could be collected. Throws Failure.
int collect(const CollectRequest& request, Output& output);

}  // namespace mpq_tool
