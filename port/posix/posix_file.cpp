#include "microparquet/port/posix_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace microparquet {

namespace {

// Repeats a system call that a signal interrupted.
template <typename Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) {
    result = call();
  }
  return result;
}

bool exceeds_file_size_limit(std::uint64_t end) {
  rlimit limit = {};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur;
}

// Allocates disk space. Returns 0, or errno. A failure releases the space allocated until then.
int allocate(int descriptor, std::uint64_t begin, std::uint64_t end) {
#ifdef __linux__
  const off_t offset = static_cast<off_t>(begin);
  const off_t bytes = static_cast<off_t>(end - begin);
  if (retry([&] { return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, bytes); }) == 0) {
    return 0;
  }
  const int error = errno;
  if (error == EOPNOTSUPP || error == ENOSYS) {
    return 0;
  }
  static_cast<void>(fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, bytes));
  return error;
#else
  static_cast<void>(descriptor);
  static_cast<void>(begin);
  static_cast<void>(end);
  return 0;
#endif
}

int put_on_medium(int descriptor) {
#ifdef __linux__
  return retry([&] { return fdatasync(descriptor); });
#else
  return retry([&] { return fsync(descriptor); });
#endif
}

// Syncs the directory, so that the name of a new file survives a power cut. Best effort: some file systems
// cannot.
void sync_directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  char directory[PATH_MAX] = ".";
  if (slash != path.npos) {
    if (slash + 1 >= sizeof directory) return;
    std::memcpy(directory, path.data(), slash + 1);
    directory[slash + 1] = 0;
  }
  const int descriptor = ::open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    static_cast<void>(fsync(descriptor));
    static_cast<void>(::close(descriptor));
  }
}

}  // namespace

namespace detail {

MappedBytes::~MappedBytes() {
  if (data_ != nullptr) static_cast<void>(munmap(data_, places_));
}

bool MappedBytes::resize(std::size_t bytes) {
  constexpr std::size_t kLeastPlaces = 4096;
  if (bytes > places_) {
    std::size_t places = std::max(places_, kLeastPlaces);
    while (places < bytes) places *= 2;
    void* const memory = mmap(nullptr, places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    if (data_ != nullptr) {
      std::memcpy(memory, data_, bytes_);
      static_cast<void>(munmap(data_, places_));
    }
    data_ = static_cast<std::byte*>(memory);
    places_ = places;
  } else if (bytes > bytes_) {
    std::memset(data_ + bytes_, 0, bytes - bytes_);
  }
  bytes_ = bytes;
  return true;
}

bool MappedBytes::insert_front(std::size_t zeros) {
  const std::size_t before = bytes_;
  if (!resize(before + zeros)) return false;
  std::memmove(data_ + zeros, data_, before);
  std::memset(data_, 0, zeros);
  return true;
}

}  // namespace detail

PosixFile::~PosixFile() { static_cast<void>(close()); }

Status PosixFile::create(const char* path, Existing existing) { return open_for_writing(path, &existing); }

// Opens a file to continue it. A killed process may have left bytes that are not on the medium, and a writer
// that resumes the file relies on them.
Status PosixFile::open_for_append(const char* path) {
  const Status status = open_for_writing(path, nullptr);
  if (status != Status::kOk || published_ == 0 || flush() == Status::kOk) {
    return status;
  }
  static_cast<void>(close());
  return Status::kMediumLost;
}

// Opens a file to write. `existing` null: the file keeps its contents.
Status PosixFile::open_for_writing(const char* path, const Existing* existing) {
  if (const Status status = open_descriptor(path, O_RDWR | O_CREAT); status != Status::kOk) {
    return status;
  }
  if (const Status status = lock(existing); status != Status::kOk) {
    static_cast<void>(close());
    return status;
  }
  sync_directory_of(path);
  writable_ = true;
  return Status::kOk;
}

Status PosixFile::open_for_reading(const char* path) { return open_descriptor(path, O_RDONLY); }

Status PosixFile::open_descriptor(const char* path, int flags) {
  static_cast<void>(close());
  constexpr mode_t kReadableByAll = 0666;  // umask removes bits
  descriptor_ = retry([&] { return ::open(path, flags | O_CLOEXEC, kReadableByAll); });
  if (descriptor_ < 0) {
    const Status status = failed(errno);
    return native_error_ == EROFS ? Status::kIoError : status;  // a write-protected system has no bytes to
                                                                // lose
  }
  struct stat information = {};
  int error = 0;
  if (fstat(descriptor_, &information) != 0) {
    error = errno;
  } else if (S_ISDIR(information.st_mode)) {
    error = EISDIR;
  } else if (!S_ISREG(information.st_mode)) {
    error = ESPIPE;
  }
  if (error != 0) {
    static_cast<void>(close());
    return failed(error);
  }
  published_ = static_cast<std::uint64_t>(information.st_size);
  const std::size_t path_bytes = std::strlen(path) + 1;
  if (!path_.resize(path_bytes)) {
    static_cast<void>(close());
    return failed(ENOMEM);
  }
  std::memcpy(path_.data(), path, path_bytes);
  return Status::kOk;
}

bool PosixFile::has_name() const {
  struct stat ours = {};
  struct stat named = {};
  if (fstat(descriptor_, &ours) != 0 || stat(reinterpret_cast<const char*>(path_.data()), &named) != 0) {
    return errno != ENOENT && errno != ENOTDIR;
  }
  return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

// Locks the file. Others may have extended it before the lock was taken.
Status PosixFile::lock(const Existing* existing) {
  struct stat information = {};
  if (retry([&] { return flock(descriptor_, LOCK_EX | LOCK_NB); }) != 0 ||
      fstat(descriptor_, &information) != 0) {
    return failed(errno);
  }
  published_ = static_cast<std::uint64_t>(information.st_size);
  if (published_ == 0 || existing == nullptr) {
    return Status::kOk;
  }
  if (*existing == Existing::kRefuse) {
    return failed(EEXIST);
  }
  published_ = 0;
  return retry([&] { return ftruncate(descriptor_, 0); }) == 0 ? Status::kOk : failed(errno);
}

Status PosixFile::close() {
  if (!is_open()) {
    return Status::kOk;
  }
  if (reserved_ > published_) {
    static_cast<void>(ftruncate(descriptor_, static_cast<off_t>(published_)) == 0);  // frees the space after
                                                                                     // the end
  }
  const int result = ::close(descriptor_);  // close() is not repeated: the descriptor is gone even after
                                            // EINTR
  descriptor_ = -1;
  flush_errno_ = 0;
  writable_ = false;
  keeps_back_ = false;
  published_ = 0;
  reserved_ = 0;
  kept_.clear();
  return result == 0 || errno == EINTR ? Status::kOk : failed(errno);
}

FileAbilities PosixFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  abilities.shrink = true;
  abilities.gathers = true;
  return abilities;
}

Status PosixFile::size(std::uint64_t& bytes) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  bytes = kept_.empty() ? published_ : kept_begin_ + kept_.size();
  return Status::kOk;
}

Status PosixFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t at = offset + done;
    std::size_t bytes = out.size() - done;
    if (at < published_) {
      const ssize_t moved =
          retry([&] { return pread(descriptor_, out.data() + done, bytes, static_cast<off_t>(at)); });
      if (moved <= 0) {
        return failed(moved < 0 ? errno : EIO);  // 0: another program has cut the file
      }
      bytes = static_cast<std::size_t>(moved);
    } else if (!kept_.empty() && at < kept_begin_) {
      bytes = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kept_begin_ - at));
      std::memset(out.data() + done, 0, bytes);
    } else if (!kept_.empty() && at - kept_begin_ < kept_.size()) {
      const std::size_t begin = static_cast<std::size_t>(at - kept_begin_);
      bytes = std::min(bytes, kept_.size() - begin);
      std::memcpy(out.data() + done, kept_.data() + begin, bytes);
    } else {
      return failed(EIO);
    }
    done += bytes;
  }
  return Status::kOk;
}

Status PosixFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (!is_open() || !writable_) {
    return Status::kWrongState;
  }
  if (data.empty()) {
    return Status::kOk;
  }
  if (!keeps_back_) {
    return write_out(offset, data);
  }
  std::size_t inside = 0;
  if (offset < published_) {
    inside = static_cast<std::size_t>(std::min<std::uint64_t>(data.size(), published_ - offset));
    if (const Status status = write_out(offset, data.subspan(0, inside)); status != Status::kOk) {
      return status;
    }
  }
  if (inside == data.size()) return Status::kOk;
  return keep_back(offset + inside, data.subspan(inside, data.size() - inside));
}

Status PosixFile::write_out(std::uint64_t offset, Span<const std::byte> data) {
  std::size_t done = 0;
  while (done < data.size()) {
    const off_t at = static_cast<off_t>(offset + done);
    const ssize_t moved =
        retry([&] { return pwrite(descriptor_, data.data() + done, data.size() - done, at); });
    if (moved <= 0) {
      return failed(moved < 0 ? errno : EIO);
    }
    done += static_cast<std::size_t>(moved);
    published_ = std::max(published_, offset + done);
  }
  return Status::kOk;
}

Status PosixFile::keep_back(std::uint64_t offset, Span<const std::byte> data) {
  if (offset > kept_begin_ + kept_.size() || offset + data.size() < kept_begin_) {
    kept_.clear();
  }
  if (kept_.empty()) {
    kept_begin_ = offset;
  } else if (offset < kept_begin_) {
    if (!kept_.insert_front(static_cast<std::size_t>(kept_begin_ - offset))) return failed(ENOMEM);
    kept_begin_ = offset;
  }
  const std::size_t begin = static_cast<std::size_t>(offset - kept_begin_);
  if (kept_.size() < begin + data.size() && !kept_.resize(begin + data.size())) return failed(ENOMEM);
  std::memcpy(kept_.data() + begin, data.data(), data.size());
  return Status::kOk;
}

Status PosixFile::reserve(std::uint64_t end) {
  if (!is_open() || !writable_) {
    return Status::kWrongState;
  }
  const std::uint64_t begin = std::max(reserved_, published_);
  if (end > begin) {
    const int error = exceeds_file_size_limit(end) ? EFBIG
                      : allocates_                 ? allocate(descriptor_, begin, end)
                                                   : 0;
    if (error != 0) {
      return failed(error);
    }
    reserved_ = end;
  }
  keeps_back_ = true;
  return Status::kOk;
}

Status PosixFile::barrier() {
  if (!is_open()) {
    return Status::kWrongState;
  }
  return flush();
}

Status PosixFile::sync(std::uint64_t size) {
  if (!is_open()) {
    return Status::kWrongState;
  }
  if (!kept_.empty()) {
    const std::uint64_t bytes = size > kept_begin_ ? size - kept_begin_ : 0;
    static_cast<void>(kept_.resize(std::min(kept_.size(), static_cast<std::size_t>(bytes))));
  }
  if (const Status status = publish(); status != Status::kOk) {
    return status;
  }
  return flush();
}

// Publishes kept bytes in one write, which leaves the file with its old end or with the new one. After a
// failed write it removes the bytes that went out: the file still ends in the footer before.
Status PosixFile::publish() {
  if (kept_.empty()) {
    return Status::kOk;
  }
  const std::uint64_t before = published_;
  const Status status = write_out(kept_begin_, {kept_.data(), kept_.size()});
  if (status == Status::kOk) {
    kept_.clear();
  } else if (ftruncate(descriptor_, static_cast<off_t>(before)) == 0) {
    published_ = before;
    reserved_ = before;
  }
  return status;
}

// Flushes the file. A second fsync after a failed one may succeed and mean nothing.
Status PosixFile::flush() {
  if (flush_errno_ == 0 && put_on_medium(descriptor_) != 0) {
    flush_errno_ = errno;
  }
  if (flush_errno_ != 0) {
    native_error_ = flush_errno_;
    return Status::kMediumLost;
  }
  return Status::kOk;
}

Status PosixFile::shrink(std::uint64_t size) {
  if (!is_open() || !writable_) {
    return Status::kWrongState;
  }
  std::uint64_t now = 0;
  static_cast<void>(this->size(now));
  if (size > now) {
    return Status::kInvalidArgument;
  }
  if (kept_.empty() || size <= kept_begin_) {
    kept_.clear();
    if (retry([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) {
      return failed(errno);
    }
    published_ = size;
    reserved_ = size;
  } else {
    static_cast<void>(kept_.resize(static_cast<std::size_t>(size - kept_begin_)));
  }
  return sync(size);
}

Status PosixFile::failed(int error) {
  native_error_ = error;
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return Status::kNoSpace;
    case ENODEV:
    case ENXIO:
    case ESTALE:
    case ENOTCONN:
    case EROFS: return Status::kMediumLost;
    default: return Status::kIoError;
  }
}

}  // namespace microparquet
