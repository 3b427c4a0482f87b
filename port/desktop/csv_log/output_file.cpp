#include "output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "line_source.h"

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

namespace {

using microparquet::PosixFile;
using microparquet::Status;
using microparquet::StdoutFile;

// A pipe or a device: there, but no file to seek in.
bool is_special(const std::string& path) {
  struct stat information = {};
  return stat(path.c_str(), &information) == 0 && !S_ISREG(information.st_mode) &&
         !S_ISDIR(information.st_mode);
}

std::string advice_for(int error) {
  switch (error) {
    case EEXIST:
      return "it exists; give another name, --append to add rows to it, or --overwrite to replace it";
    case EWOULDBLOCK: return "another program is writing it; wait for it, or give another name";
    case EISDIR: return "it is a folder; give the name of a file";
    default: return std::strerror(error);
  }
}

}  // namespace

Output::Output(const std::string& path)
    : path_(path),
      name_(path == "-" ? "standard output" : path),
      can_seek_(path != "-" && !is_special(path)) {}

bool Output::exists() const {
  struct stat information = {};
  return can_seek_ && stat(path_.c_str(), &information) == 0 && information.st_size != 0;
}

void Output::open(microparquet::Existing existing) {
  if (can_seek_) {
    open_posix(path_, &existing);
  } else {
    open_forward();
  }
}

void Output::open_for_append() {
  if (can_seek_) {
    open_posix(path_, nullptr);
  } else {
    open_forward();
  }
}

void Output::open_to_replace() {
  if (!exists()) {
    open(microparquet::Existing::kOverwrite);
    return;
  }
  open_posix(path_, nullptr);
  replacement_ = std::make_unique<Replacement>(path_, std::move(posix_));
  open_posix(replacement_->path(), nullptr);
}

Output::~Output() {
  if (descriptor_ >= 0) {
    static_cast<void>(::close(descriptor_));
  }
}

// `existing` null: what the file holds stays.
void Output::open_posix(const std::string& path, const microparquet::Existing* existing) {
  posix_ = std::make_unique<PosixFile>();
  const char* const name = path.c_str();
  const Status status = existing != nullptr ? posix_->create(name, *existing) : posix_->open_for_append(name);
  if (status != Status::kOk) {
    throw Failure(path_ + ": " + advice_for(posix_->native_error()));
  }
}

void Output::open_forward() {
  if (path_ == "-") {
    if (isatty(STDOUT_FILENO) != 0) {
      throw Failure("OUT is -, and standard output is a terminal; redirect it to a file or a pipe");
    }
    forward_ = std::make_unique<StdoutFile>(STDOUT_FILENO);
    return;
  }
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Failure(path_ + ": " + std::strerror(errno));
  }
  forward_ = std::make_unique<StdoutFile>(descriptor_);
}

std::string Output::error() const {
  return std::strerror(posix_ ? posix_->native_error() : forward_->native_error());
}

void Output::close() {
  if (posix_ && posix_->close() != Status::kOk) {
    throw Failure(name_ + ": " + error());
  }
  if (replacement_) {
    replacement_->take_place();
  }
}

void Output::discard() {
  const bool is_ours = posix_ && !replacement_ && posix_->has_name();  // else the name is another file's
  if (posix_) {
    static_cast<void>(posix_->close());
  }
  if (is_ours) {
    static_cast<void>(unlink(path_.c_str()));
  }
}

}  // namespace csv_log
