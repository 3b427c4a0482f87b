#include "input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "microparquet/desktop/log_name.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/desktop/program.h"
#include "output.h"
#include "read_failure.h"

namespace mpq_tool {

namespace desk = microparquet::desktop;

namespace {

bool is_whole_file(int descriptor) {
  return desk::state_of(descriptor).kind == desk::FileKind::kFile && desk::place_of(descriptor) == 0;
}

bool write_all(int descriptor, const char* data, std::size_t bytes) {
  while (bytes != 0) {
    const std::ptrdiff_t done = desk::write_some(descriptor, data, bytes);
    if (done < 0 && errno != EINTR) {
      return false;
    }
    data += done < 0 ? 0 : done;
    bytes -= done < 0 ? 0 : static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

InputFile::InputFile(const std::string& argument) : path_(argument), name_(argument) {
  if (argument != "-") {
    return;
  }
  name_ = "standard input";
  if (desk::is_terminal(desk::kInputDescriptor)) {
    throw Failure("standard input is a terminal; redirect a file or a pipe to it");
  }
  if (is_whole_file(desk::kInputDescriptor)) {
    path_ = desk::path_of(desk::kInputDescriptor);
  } else {
    store();
  }
}

void InputFile::store() {
  const std::string folder = desk::temporary_folder();
  const std::string set = std::string("; set ") + desk::temporary_variable();
  stored_ = desk::open_temporary(folder);
  if (!stored_.is_open()) {
    throw Failure("standard input is to be stored in " + folder + ": " + desk::error_text(errno) + set +
                  " to another folder");
  }
  std::array<char, 64 << 10> buffer;
  std::ptrdiff_t bytes = 0;
  while ((bytes = desk::read_some(desk::kInputDescriptor, buffer.data(), buffer.size())) != 0) {
    if (bytes < 0 && errno != EINTR) {
      throw Failure("standard input: " + desk::error_text(errno));
    }
    if (bytes > 0 && !write_all(stored_.number(), buffer.data(), static_cast<std::size_t>(bytes))) {
      throw Failure("standard input is stored in " + folder + ": " + desk::error_text(errno) + set +
                    " to a folder with more space");
    }
  }
  path_ = desk::path_of(stored_.number());
}

namespace {

namespace fs = std::filesystem;

// Whether a file is a log. "._1.parquet" is none: a Mac leaves it on a card beside 1.parquet.
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
      files.push_back(entry->path().generic_string());
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

// Whether it has wildcards, and is no name itself.
bool is_pattern(const std::string& path) {
  std::error_code ignored;
  return path.find_first_of("*?") != path.npos && !fs::exists(path, ignored);
}

std::vector<std::string> matching(const std::string& pattern) {
  std::vector<std::string> files = desk::paths_like(pattern);
  if (files.empty()) {
    throw Failure(pattern + ": no file matches");
  }
  return files;
}

}  // namespace

std::vector<std::string> expanded(const std::vector<std::string>& paths) {
  if (desk::kShellsExpand) {
    return paths;
  }
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const std::vector<std::string> more = is_pattern(path) ? matching(path) : std::vector<std::string>{path};
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

std::vector<std::string> named_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code ignored;
    std::vector<std::string> more = {path};
    if (fs::is_directory(path, ignored)) {
      more = files_below(path);
    } else if (is_pattern(path)) {
      more = matching(path);
    }
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace mpq_tool
