// A file that takes another's place when it is whole.
#pragma once

#include <memory>
#include <string>

#include "microparquet/port/posix_file.h"

namespace csv_log {

class Replacement {
 public:
  // Makes an empty file beside the one at `path`, which `old` is, open: as long as it is, no other program
  // writes it. Throws Failure.
  Replacement(const std::string& path, std::unique_ptr<microparquet::PosixFile> old);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  // Removes the file beside it, unless it took its place.
  ~Replacement();

  // Of the file beside it.
  const std::string& path() const { return path_; }
  // Throws Failure. Requires: what is written to path() is closed.
  void take_place();

 private:
  std::string old_path_;
  std::unique_ptr<microparquet::PosixFile> old_;
  std::string path_;
};

}  // namespace csv_log
