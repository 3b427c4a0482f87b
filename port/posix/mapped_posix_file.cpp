#include "microparquet/port/mapped_posix_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
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
    return Status::kOk;  // an empty file cannot be mapped
  }
  if (bytes > std::numeric_limits<std::size_t>::max()) {
    return failed(ENOMEM);
  }
  int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
  if (maps_at_once_) {
    flags |= MAP_POPULATE;
  }
#endif
  void* const memory = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, flags, descriptor, 0);
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

Status MappedPosixFile::size(std::uint64_t& bytes) {
  bytes = 0;
  return is_open_ ? MappedFile::size(bytes) : Status::kWrongState;
}

Status MappedPosixFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  return is_open_ ? MappedFile::read_at(offset, out) : Status::kWrongState;
}

Status MappedPosixFile::failed(int error) {
  native_error_ = error;
  return Status::kIoError;
}

}  // namespace microparquet
