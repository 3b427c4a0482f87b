#include "replacement.h"

#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "csv_failure.h"

namespace csv_log {

namespace {

// A link stays one: what it leads to is replaced.
std::string without_links(const std::string& path) {
  char* const found = realpath(path.c_str(), nullptr);
  const std::string result = found != nullptr ? found : path;
  std::free(found);
  return result;
}

}  // namespace

Replacement::Replacement(const std::string& path, std::unique_ptr<microparquet::PosixFile> old)
    : old_path_(without_links(path)), old_(std::move(old)), path_(old_path_ + ".XXXXXX") {
  const int descriptor = mkstemp(path_.data());
  struct stat information = {};
  if (descriptor < 0) {
    throw Failure(path +
                  ": it cannot be replaced, since its folder takes no new file: " + std::strerror(errno));
  }
  if (stat(old_path_.c_str(), &information) == 0) {
    static_cast<void>(fchown(descriptor, information.st_uid, information.st_gid) == 0);  // where it may
    static_cast<void>(fchmod(descriptor, information.st_mode & 07777));
  }
  static_cast<void>(::close(descriptor));
}

Replacement::~Replacement() {
  if (!path_.empty()) {
    static_cast<void>(unlink(path_.c_str()));
  }
}

void Replacement::take_place() {
  if (std::rename(path_.c_str(), old_path_.c_str()) != 0) {
    throw Failure(old_path_ + ": it cannot be replaced: " + std::strerror(errno));
  }
  path_.clear();
}

}  // namespace csv_log
