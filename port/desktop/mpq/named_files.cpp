#include "named_files.h"

#include <glob.h>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "microparquet/desktop/log_name.h"
#include "output.h"
#include "wrong_request.h"

namespace mpq_tool {

namespace {

namespace fs = std::filesystem;

// Not "._1.parquet", which a Mac leaves on a card beside 1.parquet.
bool is_log(const fs::path& path) {
  return microparquet::desktop::is_log_name(path) && path.filename().string().front() != '.';
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (is_log(entry->path()) && entry->is_regular_file(ignored)) {
      files.push_back(entry->path().string());
    }
  }
  if (error) {
    throw Failure(folder + ": " + error.message());
  }
  if (files.empty()) {
    throw Failure(folder + ": no file in it, or in the folders below, is called *.parquet or *.PQT");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found = {};
  std::vector<std::string> files;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  if (files.empty()) {
    throw Failure(pattern + ": no file matches");
  }
  return files;
}

}  // namespace

std::vector<std::string> named_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    std::vector<std::string> more = {path};
    if (fs::is_directory(path, ignored)) {
      more = files_below(path);
    } else if (path.find_first_of("*?") != path.npos && !fs::exists(path, ignored)) {
      more = matching(path);
    }
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace mpq_tool
