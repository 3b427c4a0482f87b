// A file that gets its name when it is whole.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/desktop/files.h"
#include "microparquet/desktop/native_file.h"

namespace microparquet::desktop {

// Until then it lies beside it, as PATH.part, and is removed when it does not get that far. All calls throw Failure. Link
// microparquet_system.
class NewFile {
 public:
  explicit NewFile(std::string path) : path_(std::move(path)), part_path_(path_ + ".part") {
    check(file_.create(part_path_.c_str(), Existing::kOverwrite));
    is_part_ = true;
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (is_part_) {
      static_cast<void>(remove_file(part_path_));
    }
  }

  const std::string& path() const { return path_; }
  NativeFile& file() { return file_; }

  // Appends bytes.
  void write(const void* data, std::size_t bytes) {
    check(file_.write_at(bytes_, {static_cast<const std::byte*>(data), bytes}));
    bytes_ += bytes;
  }
  // Written so.
  std::uint64_t bytes() const { return bytes_; }
  // Puts the written bytes on the disk.
  void sync() { check(file_.sync(bytes_)); }

  // Closes it. What was at its path is replaced.
  void take_name() {
    check(file_.close());
    if (!replace(part_path_, path_)) {
      throw Failure(path_ + ": " + error_text(errno));
    }
    is_part_ = false;
  }

 private:
  void check(Status status) const {
    if (status != Status::kOk) {
      throw Failure(part_path_ + ": " + why_failed(file_));
    }
  }

  std::string path_;
  std::string part_path_;
  bool is_part_ = false;  // there is one
  NativeFile file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace microparquet::desktop
