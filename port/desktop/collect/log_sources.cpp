#include "log_sources.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "microparquet/desktop/log_name.h"

namespace mpq_tool {

namespace {

namespace fs = std::filesystem;

bool is_log_name(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".img" || microparquet::desktop::is_log_name(path);
}

class FolderWalk {
 public:
  FolderWalk(const std::string& lake, const TellProblem& problem) : problem_(problem) {
    std::error_code ignored;
    lake_ = fs::canonical(lake, ignored);
  }

  // A damaged folder costs what is in it, and no others.
  void walk(const fs::path& folder) {
    std::error_code error;
    if (!lake_.empty() && fs::equivalent(folder, lake_, error)) {
      return;
    }
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      entries.push_back(entry->path());
    }
    if (error) {
      problem_(folder.string() + ": " + error.message() + "; what is in it is not collected");
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::path& path : entries) {
      add(path);
    }
  }

  std::vector<std::string> found() && { return std::move(found_); }

 private:
  void add(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::is_directory(status)) {
      walk(path);
    } else if (is_log_name(path) && (fs::is_regular_file(status) || error)) {
      found_.push_back(path.string());  // one that cannot be looked at is named when it is opened
    }
  }

  const TellProblem& problem_;
  fs::path lake_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> log_sources(const std::vector<std::string>& paths, const std::string& lake,
                                     const TellProblem& problem) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      found.push_back(path);
      continue;
    }
    FolderWalk walk(lake, problem);
    walk.walk(path);
    std::vector<std::string> below = std::move(walk).found();
    if (below.empty()) {
      problem(path + ": no log is in it: no file *.parquet, and no image *.img");
    }
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

}  // namespace mpq_tool
