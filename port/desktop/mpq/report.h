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

// Writes viewer.html with the files in it, and says how large it is. Throws Failure: there is no viewer.html, a file cannot be
// read or is none of Parquet, or they are too large for a page.
void write_report(const ReportRequest& request, Output& output);

}  // namespace mpq_tool
