#include "microparquet/port/vfs_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

namespace microparquet {

Status VfsFile::open_handle(const char* path, bool writable, std::uint64_t& bytes) {
  constexpr int kReadableByAll = 0666;
  descriptor_ = ::open(path, writable ? O_RDWR | O_CREAT : O_RDONLY, kReadableByAll);
  if (descriptor_ < 0) return failed(errno);
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  bytes = static_cast<std::uint64_t>(end);
  if (end >= 0) return Status::kOk;
  const Status status = failed(errno);
  static_cast<void>(::close(descriptor_));
  return status;
}

Status VfsFile::close_handle() { return ::close(descriptor_) == 0 ? Status::kOk : failed(errno); }

Status VfsFile::seek(std::uint64_t offset) {
  return lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) >= 0 ? Status::kOk : failed(errno);
}

Status VfsFile::read(std::uint64_t offset, Span<std::byte> out) {
  if (const Status status = seek(offset); status != Status::kOk) return status;
  const ssize_t moved = ::read(descriptor_, out.data(), out.size());
  if (moved == static_cast<ssize_t>(out.size())) return Status::kOk;
  return failed(moved < 0 ? errno : EIO);
}

// Writes all bytes. A medium that is full, or fails, takes fewer than it is given; the next write tells which
// is the case.
Status VfsFile::write(std::uint64_t offset, Span<const std::byte> data) {
  if (const Status status = seek(offset); status != Status::kOk) return status;
  while (!data.empty()) {
    const ssize_t moved = ::write(descriptor_, data.data(), data.size());
    if (moved <= 0) return failed(moved < 0 ? errno : ENOSPC);
    const auto done = static_cast<std::size_t>(moved);
    data = data.subspan(done, data.size() - done);
  }
  return Status::kOk;
}

// Flushes the file. FatFs asks the medium for a sync only after a write to the file, even an empty one.
Status VfsFile::flush() {
  const std::byte none{};
  const bool good = ::write(descriptor_, &none, 0) == 0 && fsync(descriptor_) == 0;
  return good ? Status::kOk : failed(errno);
}

Status VfsFile::truncate(std::uint64_t size) {
  return ftruncate(descriptor_, static_cast<off_t>(size)) == 0 ? Status::kOk : failed(errno);
}

}  // namespace microparquet
