#include "microparquet/port/vfs_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace microparquet {

Status VfsFile::open_handle(const char* path, bool writable, std::uint64_t& bytes) {
  constexpr int kReadableByAll = 0666;
  descriptor_ = ::open(path, writable ? O_RDWR | O_CREAT : O_RDONLY, kReadableByAll);
  if (descriptor_ < 0) return failed(errno);
  const Status status = find_end(bytes);
  if (status != Status::kOk) static_cast<void>(::close(descriptor_));
  return status;
}

// Finds the file's length. An off_t of 32 bits has the low ones of a longer file's: a negative length, to
// which FatFs would extend the file, or one after which there are bytes to read.
Status VfsFile::find_end(std::uint64_t& bytes) {
  struct stat information = {};
  if (fstat(descriptor_, &information) == 0 && information.st_size < 0) return too_long();
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  if (end < 0) return failed(errno);
  std::byte more{};
  const ssize_t moved = ::read(descriptor_, &more, 1);
  bytes = static_cast<std::uint64_t>(end);
  return moved == 0 ? Status::kOk : moved > 0 ? too_long() : failed(errno);
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
