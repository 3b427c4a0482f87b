// Where the Parquet file goes.
#pragma once

#include <memory>
#include <string>

#include "microparquet/file.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/port/stdout_file.h"

namespace csv_log {

// A file on a disk, or what only takes bytes one after another: standard output, a pipe, a device.
class Output {
 public:
  // `path` "-" is standard output. Opens nothing yet.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  // Throws Failure. `existing` is for a file on a disk.
  void open(microparquet::PosixFile::Existing existing);

  // Requires: open.
  microparquet::File& file() { return posix_ ? static_cast<microparquet::File&>(*posix_) : *forward_; }
  // Whether the file can be written in place.
  bool can_seek() const { return can_seek_; }
  // Whether there is a file that holds bytes.
  bool exists() const;
  // For messages.
  const std::string& name() const { return name_; }
  // Why its last call failed, in the system's words.
  std::string error() const;

  // Throws Failure.
  void close();
  // Closes the file and removes it, if it is one on a disk.
  void discard();

 private:
  void open_posix(microparquet::PosixFile::Existing existing);
  void open_forward();

  std::string path_;
  std::string name_;
  bool can_seek_;
  int descriptor_ = -1;  // of forward_, when it is ours to close
  std::unique_ptr<microparquet::PosixFile> posix_;
  std::unique_ptr<microparquet::StdoutFile> forward_;
};

}  // namespace csv_log
