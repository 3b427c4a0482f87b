#include "input_file.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "microparquet/desktop/log_name.h"
#include "output.h"
#include "read_failure.h"

namespace mpq_tool {

using microparquet::desktop::Descriptor;

namespace {

bool is_whole_file(int descriptor) {
  struct stat information = {};
  return fstat(descriptor, &information) == 0 && S_ISREG(information.st_mode) &&
         lseek(descriptor, 0, SEEK_CUR) == 0;
}

// A file that no name leads to.
int open_temporary(std::string folder) {
  folder += "/mpq.XXXXXX";
  const int descriptor = mkostemp(folder.data(), O_CLOEXEC);
  if (descriptor >= 0) {
    static_cast<void>(unlink(folder.c_str()));
  }
  return descriptor;
}

bool write_all(int descriptor, const char* data, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t done = ::write(descriptor, data, bytes);
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
  if (isatty(STDIN_FILENO) != 0) {
    throw Failure("standard input is a terminal; redirect a file or a pipe to it");
  }
  if (is_whole_file(STDIN_FILENO)) {
    path_ = "/dev/stdin";
  } else {
    store();
  }
}

void InputFile::store() {
  const char* const told = std::getenv("TMPDIR");
  const std::string folder = told != nullptr ? told : "/tmp";
  stored_ = Descriptor(open_temporary(folder));
  if (stored_.number() < 0) {
    throw Failure("standard input is to be stored in " + folder + ": " + std::strerror(errno) +
                  "; set TMPDIR to another folder");
  }
  std::array<char, 64 << 10> buffer;
  ssize_t bytes = 0;
  while ((bytes = ::read(STDIN_FILENO, buffer.data(), buffer.size())) != 0) {
    if (bytes < 0 && errno != EINTR) {
      throw Failure(std::string("standard input: ") + std::strerror(errno));
    }
    if (bytes > 0 && !write_all(stored_.number(), buffer.data(), static_cast<std::size_t>(bytes))) {
      throw Failure("standard input is stored in " + folder + ": " + std::strerror(errno) +
                    "; set TMPDIR to a folder with more space");
    }
  }
  path_ = "/dev/fd/" + std::to_string(stored_.number());
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
