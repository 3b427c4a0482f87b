// The functions of POSIX that VfsFile calls, as ESP-IDF has them for FAT: they seek past a file's end, but
// ftruncate makes none longer. The linker replaces the system's by them (--wrap).
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "fat_handle.h"

namespace {

std::array<ports::FatHandle, 4> handles;

// The path after the mount point, which may have any name.
const char* path_in_volume(const char* path) { return std::strchr(path + 1, '/') + 1; }

int error_of(FRESULT result) {
  switch (result) {
    case FR_NOT_READY:
    case FR_NOT_ENABLED:
    case FR_NO_FILESYSTEM: return ENODEV;
    case FR_NO_FILE:
    case FR_NO_PATH: return ENOENT;
    case FR_INVALID_NAME:
    case FR_INVALID_PARAMETER: return EINVAL;
    case FR_DENIED:
    case FR_WRITE_PROTECTED:
    case FR_LOCKED: return EACCES;
    case FR_EXIST: return EEXIST;
    case FR_INVALID_OBJECT: return EBADF;
    case FR_INVALID_DRIVE: return ENXIO;
    case FR_TIMEOUT: return ETIMEDOUT;
    case FR_NOT_ENOUGH_CORE: return ENOMEM;
    case FR_TOO_MANY_OPEN_FILES: return ENFILE;
    default: return EIO;
  }
}

int answer(FRESULT result) {
  if (result == FR_OK) return 0;
  errno = error_of(result);
  return -1;
}

ports::FatHandle& handle_of(int descriptor) { return handles[static_cast<std::size_t>(descriptor)]; }

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, bugprone-reserved-identifier): the linker's names
extern "C" {

int __wrap_open(const char* path, int flags, ...) {
  int mode = (flags & O_ACCMODE) == O_RDWR ? FA_READ | FA_WRITE : FA_READ;
  if (flags & O_CREAT) mode |= FA_OPEN_ALWAYS;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (handles[i].is_open()) continue;
    const FRESULT result = handles[i].open(path_in_volume(path), static_cast<BYTE>(mode));
    return answer(result) == 0 ? static_cast<int>(i) : -1;
  }
  errno = ENFILE;
  return -1;
}

int __wrap_close(int descriptor) { return answer(handle_of(descriptor).close()); }

// FatFs answers FR_OK and stops before where it finds no space; this does not tell.
off_t __wrap_lseek(int descriptor, off_t offset, int whence) {
  ports::FatHandle& handle = handle_of(descriptor);
  const auto from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? handle.position() : handle.size();
  const off_t to = ports::as_off_t(from) + offset;
  return answer(handle.seek(static_cast<std::uint64_t>(to))) == 0 ? to : -1;
}

int __wrap_fstat(int descriptor, struct stat* information) {
  *information = {};
  information->st_size = ports::as_off_t(handle_of(descriptor).size());
  return 0;
}

ssize_t __wrap_read(int descriptor, void* to, size_t bytes) {
  FRESULT result = FR_OK;
  const std::int64_t moved = handle_of(descriptor).read(to, bytes, result);
  return moved >= 0 ? static_cast<ssize_t>(moved) : answer(result);
}

ssize_t __wrap_write(int descriptor, const void* from, size_t bytes) {
  FRESULT result = FR_OK;
  const std::int64_t moved = handle_of(descriptor).write(from, bytes, result);
  if (moved != 0 || bytes == 0) return moved > 0 ? static_cast<ssize_t>(moved) : answer(result);
  errno = ENOSPC;
  return -1;
}

int __wrap_fsync(int descriptor) { return answer(handle_of(descriptor).sync()); }

int __wrap_ftruncate(int descriptor, off_t bytes) {
  ports::FatHandle& handle = handle_of(descriptor);
  if (static_cast<std::uint64_t>(bytes) > handle.size()) {
    errno = EPERM;
    return -1;
  }
  return answer(handle.truncate(static_cast<std::uint64_t>(bytes)));
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming, bugprone-reserved-identifier)
