#include "work_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace mpq_tool {

using microparquet::Status;

Status WorkFile::open(const std::string& path, bool keeps) {
  constexpr mode_t kReadableByAll = 0666;  // less what umask takes away
  descriptor_ = microparquet::desktop::Descriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (keeps ? 0 : O_TRUNC), kReadableByAll));
  struct stat information = {};
  if (descriptor_.number() < 0 || fstat(descriptor_.number(), &information) != 0) {
    return failed(errno);
  }
  bytes_ = static_cast<std::uint64_t>(information.st_size);
  return Status::kOk;
}

Status WorkFile::flush() { return fsync(descriptor_.number()) == 0 ? Status::kOk : failed(errno); }

microparquet::FileAbilities WorkFile::abilities() const {
  microparquet::FileAbilities abilities;
  abilities.seek = abilities.read_back = abilities.shrink = abilities.gathers = true;
  return abilities;
}

Status WorkFile::size(std::uint64_t& bytes) {
  bytes = bytes_;
  return Status::kOk;
}

Status WorkFile::read_at(std::uint64_t offset, microparquet::Span<std::byte> out) {
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t came =
        pread(descriptor_.number(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (came == 0 || (came < 0 && errno != EINTR)) {
      return failed(came < 0 ? errno : ENODATA);
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(came, 0));
  }
  return Status::kOk;
}

Status WorkFile::write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) {
  for (std::size_t done = 0; done < data.size();) {
    const ssize_t moved = pwrite(descriptor_.number(), data.data() + done, data.size() - done,
                                 static_cast<off_t>(offset + done));
    if (moved == 0 || (moved < 0 && errno != EINTR)) {
      return failed(moved < 0 ? errno : EIO);
    }
    done += static_cast<std::size_t>(std::max<ssize_t>(moved, 0));
  }
  bytes_ = std::max(bytes_, offset + data.size());
  return Status::kOk;
}

// What was written after `size` does not belong to the file.
Status WorkFile::sync(std::uint64_t size) { return size < bytes_ ? shrink(size) : Status::kOk; }

Status WorkFile::shrink(std::uint64_t size) {
  if (ftruncate(descriptor_.number(), static_cast<off_t>(size)) != 0) {
    return failed(errno);
  }
  bytes_ = size;
  return Status::kOk;
}

Status WorkFile::failed(int error) {
  error_ = error;
  return error == ENOSPC || error == EDQUOT || error == EFBIG ? Status::kNoSpace : Status::kIoError;
}

}  // namespace mpq_tool
