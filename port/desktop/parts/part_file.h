// One of the files that a summary names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "microparquet/desktop/native_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::desktop {

class PartFile {
 public:
  // `path` is as the summary has it.
  explicit PartFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  bool is_open() const { return file_ != nullptr; }

  // Opens the part in `folder`, a descriptor. Returns why it cannot be opened, or nothing.
  std::string open(int folder);
  void close() { file_.reset(); }
  // Requires: is_open().
  bool is_shorter_than(std::uint64_t bytes) const;

  // Requires: is_open(). Empty, or why it cannot be read.
  std::string read(std::uint64_t offset, Span<std::byte> out);

 private:
  std::string path_;
  std::unique_ptr<NativeFile> file_;
};

}  // namespace microparquet::desktop
