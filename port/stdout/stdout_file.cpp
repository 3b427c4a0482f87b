#include "microparquet/port/stdout_file.h"

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <poll.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>

namespace microparquet {

namespace {

#ifdef _WIN32

// Descriptors of the C library, none of which is non-blocking.
std::ptrdiff_t write_some(int descriptor, Span<const std::byte> data) {
  DWORD written = 0;
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  const auto bytes = static_cast<DWORD>(std::min<std::size_t>(data.size(), 1U << 30));
  if (WriteFile(handle, data.data(), bytes, &written, nullptr) != FALSE)
    return static_cast<std::ptrdiff_t>(written);
  const DWORD error = GetLastError();
  errno = error == ERROR_NO_DATA || error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED ? EPIPE
          : error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL                             ? ENOSPC
                                                                                                    : EIO;
  return -1;
}

void wait_until_writable(int /*descriptor*/) {}

// To flush a pipe would wait for whoever reads it.
bool put_on_medium(int descriptor) {
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  errno = EIO;
  return GetFileType(handle) != FILE_TYPE_DISK || FlushFileBuffers(handle) != FALSE;
}

bool is_no_space(int error) { return error == ENOSPC; }

#else

std::ptrdiff_t write_some(int descriptor, Span<const std::byte> data) {
  return ::write(descriptor, data.data(), data.size());
}

// Waits for a descriptor that someone else made non-blocking.
void wait_until_writable(int descriptor) {
  pollfd waiting = {descriptor, POLLOUT, 0};
  static_cast<void>(poll(&waiting, 1, -1));
}

bool put_on_medium(int descriptor) { return ::fsync(descriptor) == 0; }

bool is_no_space(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

#endif

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
    const std::ptrdiff_t written = write_some(descriptor_, data.subspan(moved_, data.size() - moved_));
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
  if (put_on_medium(descriptor_) || errno == EINVAL || errno == EROFS || errno == ENOTSUP) {
    return Status::kOk;  // pipes, sockets and terminals return one of these
  }
  return failed(errno);
}

Status StdoutFile::failed(int error) {
  native_error_ = error;
  return is_no_space(error) ? Status::kNoSpace : Status::kIoError;
}

}  // namespace microparquet
