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

#include "system_file_calls.h"

namespace microparquet {

template class SystemFile<PosixFile>;

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
int allocate_space(int descriptor, std::uint64_t begin, std::uint64_t end) {
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

}  // namespace detail

PosixFile::PosixFile() : SystemFile(EIO, ENOMEM) {}

PosixFile::~PosixFile() { static_cast<void>(close()); }

Status PosixFile::create(const char* path, Existing existing) { return open_for_writing(path, &existing); }

// Opens a file to continue it. A killed process may have left bytes that are not on the medium, and a writer
// that resumes the file relies on them.
Status PosixFile::open_for_append(const char* path) {
  const Status status = open_for_writing(path, nullptr);
  if (status != Status::kOk || published() == 0 || flush() == Status::kOk) {
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
  return Status::kOk;
}

Status PosixFile::open_for_reading(const char* path) { return open_descriptor(path, O_RDONLY); }

Status PosixFile::open_descriptor(const char* path, int flags) {
  static_cast<void>(close());
  constexpr mode_t kReadableByAll = 0666;  // umask removes bits
  descriptor_ = retry([&] { return ::open(path, flags | O_CLOEXEC, kReadableByAll); });
  if (descriptor_ < 0) {
    const Status status = failed(errno);
    return native_error() == EROFS ? Status::kIoError : status;  // a write-protected system has no bytes to
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
  begin(static_cast<std::uint64_t>(information.st_size), false);
  const std::size_t path_bytes = std::strlen(path) + 1;
  if (!path_.resize(path_bytes)) {
    static_cast<void>(close());
    return out_of_memory();
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
  begin(static_cast<std::uint64_t>(information.st_size), true);
  if (information.st_size == 0 || existing == nullptr) {
    return Status::kOk;
  }
  if (*existing == Existing::kRefuse) {
    return failed(EEXIST);
  }
  begin(0, true);
  const int error = cut(0);
  return error == 0 ? Status::kOk : failed(error);
}

Status PosixFile::close() {
  if (!is_open()) {
    return Status::kOk;
  }
  end();
  const int result = ::close(descriptor_);  // close() is not repeated: the descriptor is gone even after
                                            // EINTR
  descriptor_ = -1;
  return result == 0 || errno == EINTR ? Status::kOk : failed(errno);
}

int PosixFile::read_some(std::uint64_t offset, Span<std::byte> out, std::size_t& moved) {
  const ssize_t bytes =
      retry([&] { return pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset)); });
  moved = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  return bytes < 0 ? errno : 0;
}

int PosixFile::write_some(std::uint64_t offset, Span<const std::byte> data, std::size_t& moved) {
  const ssize_t bytes =
      retry([&] { return pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset)); });
  moved = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  return bytes < 0 ? errno : 0;
}

int PosixFile::cut(std::uint64_t size) {
  return retry([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) == 0 ? 0 : errno;
}

int PosixFile::allocate(std::uint64_t begin, std::uint64_t end, bool allocates) {
  if (exceeds_file_size_limit(end)) return EFBIG;
  return allocates ? allocate_space(descriptor_, begin, end) : 0;
}

int PosixFile::put_on_medium() {
#ifdef __linux__
  return retry([&] { return fdatasync(descriptor_); }) == 0 ? 0 : errno;
#else
  return retry([&] { return fsync(descriptor_); }) == 0 ? 0 : errno;
#endif
}

Status PosixFile::status_of(int error) const {
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
