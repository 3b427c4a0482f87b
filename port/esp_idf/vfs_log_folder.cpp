// Arduino's library has this source, too, and of its boards only the ESP32 has folders of POSIX.
#if defined(ESP_PLATFORM) || defined(__unix__)
#include "microparquet/port/vfs_log_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace microparquet {

namespace {

Status status_of(bool good) {
  if (good) return Status::kOk;
  return errno == EIO || errno == ENODEV || errno == ENXIO ? Status::kMediumLost : Status::kIoError;
}

}  // namespace

void VfsLogFolder::end_list() {
  if (list_ != nullptr) static_cast<void>(closedir(static_cast<DIR*>(list_)));
  list_ = nullptr;
}

Status VfsLogFolder::open_list(const char* path) {
  end_list();
  std::size_t at = 0;
  for (; path[at] != 0 && at + 1 < sizeof listed_; ++at) listed_[at] = path[at];
  listed_[at] = 0;
  list_ = opendir(path);
  return status_of(list_ != nullptr || errno == ENOENT);
}

// Its entries have no size: stat() tells that, and whether the entry is a file. Names that cannot be the log's are not asked for.
Status VfsLogFolder::next_entry(Entry& entry) {
  if (list_ == nullptr) return Status::kEnd;
  errno = 0;
  const dirent* const found = readdir(static_cast<DIR*>(list_));
  if (found == nullptr) {
    const Status status = errno == 0 ? Status::kEnd : status_of(false);
    end_list();
    return status;
  }
  entry.name = found->d_name;
  char path[sizeof listed_ + sizeof "/00000000_20270131T1012Z.parquet"];
  std::size_t at = 0;
  for (const char* from = listed_; *from != 0; ++from) path[at++] = *from;
  path[at++] = '/';
  for (const char* from = found->d_name; *from != 0 && at + 1 < sizeof path; ++from) path[at++] = *from;
  path[at] = 0;
  struct stat about = {};
  if (stat(path, &about) != 0) {
    entry.name = "";
    return Status::kOk;
  }
  entry.is_folder = S_ISDIR(about.st_mode);
  entry.bytes = static_cast<std::uint64_t>(about.st_size);
  entry.written_s = about.st_mtime;
  return Status::kOk;
}

Status VfsLogFolder::size_of(const char* path, std::uint64_t& bytes) {
  struct stat about = {};
  const bool good = stat(path, &about) == 0;
  bytes = static_cast<std::uint64_t>(about.st_size);
  return status_of(good);
}

Status VfsLogFolder::shorten(const char* path, std::uint64_t bytes) {
  const int descriptor = ::open(path, O_RDWR);
  if (descriptor < 0) return status_of(false);
  const bool good = ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 && fsync(descriptor) == 0;
  return status_of(::close(descriptor) == 0 && good);
}

Status VfsLogFolder::unlink_path(const char* path) {
  struct stat about = {};
  if (stat(path, &about) != 0) return status_of(false);
  return status_of((S_ISDIR(about.st_mode) ? rmdir(path) : unlink(path)) == 0);
}

}  // namespace microparquet
#endif
