#include "new_file.h"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "failure.h"

namespace mpq_tool {

using microparquet::Status;

NewFile::NewFile(std::string path, bool overwrite) : path_(std::move(path)), part_path_(path_ + ".part") {
  std::error_code ignored;
  if (!overwrite && std::filesystem::exists(path_, ignored)) {
    throw Failure(path_ + ": is there already; --overwrite replaces it");
  }
  if (file_.create(part_path_.c_str(), microparquet::Existing::kOverwrite) != Status::kOk) {
    fail(file_.native_error());
  }
  is_part_ = true;
}

NewFile::~NewFile() {
  if (is_part_) {
    static_cast<void>(unlink(part_path_.c_str()));
  }
}

void NewFile::fail(int error) const { throw Failure(part_path_ + ": " + std::strerror(error)); }

void NewFile::write(std::string_view text) {
  if (file_.write_at(bytes_, {reinterpret_cast<const std::byte*>(text.data()), text.size()}) != Status::kOk) {
    fail(file_.native_error());
  }
  bytes_ += text.size();
}

void NewFile::finish() {
  if (file_.sync(bytes_) != Status::kOk) {
    fail(file_.native_error());
  }
  if (file_.close() != Status::kOk) {
    fail(file_.native_error());
  }
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) {
    fail(errno);
  }
  is_part_ = false;
}

}  // namespace mpq_tool
