#include "microparquet/port/mapped_posix_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <limits>

namespace microparquet {

MappedPosixFile::~MappedPosixFile() { close(); }

Status MappedPosixFile::open_for_reading(const char* path) {
  close();
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return failed(errno);
  }
  const Status status = map(descriptor);
  static_cast<void>(::close(descriptor));  // the mapping stays
  is_open_ = status == Status::kOk;
  return status;
}

Status MappedPosixFile::map(int descriptor) {
  struct stat information = {};
  if (fstat(descriptor, &information) != 0) {
    return failed(errno);
  }
  if (!S_ISREG(information.st_mode)) {
    return failed(S_ISDIR(information.st_mode) ? EISDIR : ESPIPE);
  }
  const auto bytes = static_cast<std::uint64_t>(information.st_size);
  if (bytes == 0) {
    return Status::kOk;  // there is nothing to map
  }
  if (bytes > std::numeric_limits<std::size_t>::max()) {
    return failed(ENOMEM);
  }
  void* const memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (memory == MAP_FAILED) {
    return failed(errno);
  }
  view_ = {static_cast<const std::byte*>(memory), static_cast<std::size_t>(bytes)};
  return Status::kOk;
}

void MappedPosixFile::close() {
  if (!view_.empty()) {
    static_cast<void>(munmap(const_cast<std::byte*>(view_.data()), view_.size()));
  }
  view_ = {};
  is_open_ = false;
}

FileAbilities MappedPosixFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  return abilities;
}

Status MappedPosixFile::size(std::uint64_t& bytes) {
  bytes = view_.size();
  return is_open_ ? Status::kOk : Status::kWrongState;
}

Status MappedPosixFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!is_open_) {
    return Status::kWrongState;
  }
  if (offset > view_.size() || out.size() > view_.size() - offset) {
    return Status::kIoError;
  }
  if (!out.empty()) {
    std::memcpy(out.data(), view_.data() + static_cast<std::size_t>(offset), out.size());
  }
  return Status::kOk;
}

Status MappedPosixFile::write_at(std::uint64_t, Span<const std::byte>) { return Status::kUnsupported; }

Status MappedPosixFile::sync(std::uint64_t) { return Status::kUnsupported; }

Status MappedPosixFile::failed(int error) {
  native_error_ = error;
  return Status::kIoError;
}

}  // namespace microparquet
