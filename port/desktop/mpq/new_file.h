// A file that is written from its beginning to its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "microparquet/port/posix_file.h"

namespace mpq_tool {

// All calls throw Failure. The file gets its name when it is whole; until then it lies beside it, and is removed when it is not
// finished.
class NewFile {
 public:
  NewFile(std::string path, bool overwrite);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::string_view text);
  void finish();
  std::uint64_t bytes() const { return bytes_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string part_path_;
  bool is_part_ = false;  // there is one
  microparquet::PosixFile file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace mpq_tool
