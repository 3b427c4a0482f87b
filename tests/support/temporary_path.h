// A file of a test on this machine.
#pragma once

#include <unistd.h>
#include <cstdlib>
#include <string>

namespace support {

// A name in a folder of its own, both gone at the end.
class TemporaryPath {
 public:
  TemporaryPath() {
    const char* base = std::getenv("TMPDIR");
    folder_ = std::string(base != nullptr ? base : "/tmp") + "/posix_file_test.XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) {
      folder_.clear();
    }
    path_ = folder_ + "/file";
  }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath() {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }
  const char* c_str() const { return path_.c_str(); }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::string path_;
};

}  // namespace support
