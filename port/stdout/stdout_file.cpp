#include "microparquet/port/stdout_file.h"

#include <poll.h>
#include <unistd.h>
#include <cerrno>

namespace microparquet {

namespace {

// Waits for a descriptor that someone else made non-blocking.
void wait_until_writable(int descriptor) {
  pollfd waiting = {descriptor, POLLOUT, 0};
  static_cast<void>(poll(&waiting, 1, -1));
}

}  // namespace

FileAbilities StdoutFile::abilities() const { return {}; }

Status StdoutFile::size(std::uint64_t& bytes) {
  bytes = size_;
  return Status::kOk;
}

Status StdoutFile::read_at(std::uint64_t, Span<std::byte>) { return Status::kUnsupported; }

Status StdoutFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (offset != size_ || data.size() < moved_) {
    return Status::kInvalidArgument;
  }
  while (moved_ < data.size()) {
    const ssize_t written = ::write(descriptor_, data.data() + moved_, data.size() - moved_);
    if (written >= 0) {
      moved_ += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      wait_until_writable(descriptor_);
    } else if (errno != EINTR) {
      return failed(errno);
    }
  }
  size_ += data.size();
  moved_ = 0;
  return Status::kOk;
}

Status StdoutFile::sync(std::uint64_t size) {
  static_cast<void>(size);  // all written bytes belong to the file
  if (::fsync(descriptor_) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) {
    return Status::kOk;  // pipes, sockets and terminals return one of these
  }
  return failed(errno);
}

Status StdoutFile::failed(int error) {
  native_error_ = error;
  return error == ENOSPC || error == EDQUOT || error == EFBIG ? Status::kNoSpace : Status::kIoError;
}

}  // namespace microparquet
