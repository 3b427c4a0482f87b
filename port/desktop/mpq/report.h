// A page that shows files in a browser, with the files inside.
#pragma once

#include <string>
#include <vector>

#include "output.h"
#include "time_request.h"

namespace mpq_tool {

struct ReportRequest {
  std::vector<std::string> paths;  // files, and folders of them
  std::string output;              // the page
  std::string viewer;              // viewer.html; empty: beside mpq, or where it is installed
  TimeRequest time;                // when the rows of files that have its columns were taken
  bool overwrite = false;          // `output` when it exists
};

// Writes viewer.html with the files in it, and says how large it is. Files that cannot be read or are none of Parquet are left out,
// and named there, too: returns the exit code, 1 if there are some. Throws Failure: there is no viewer.html, all files are such, or
// they are too large for a page.
int write_report(const ReportRequest& request, Output& output);

}  // namespace mpq_tool
