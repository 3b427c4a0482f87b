// Zephyr's files over FatFs: seeks inside a file only, takes less than it is given when the volume is full.
#include <zephyr/fs/fs.h>

#include <cerrno>
#include <cstring>

#include "fat_handle.h"

namespace {

// The path after the mount point, which may have any name.
const char* path_in_volume(const char* path) { return std::strchr(path + 1, '/') + 1; }

int error_of(FRESULT result) {
  switch (result) {
    case FR_OK: return 0;
    case FR_NO_FILE:
    case FR_NO_PATH:
    case FR_INVALID_NAME: return -ENOENT;
    case FR_DENIED: return -EACCES;
    case FR_EXIST: return -EEXIST;
    case FR_INVALID_OBJECT: return -EBADF;
    case FR_WRITE_PROTECTED: return -EROFS;
    case FR_INVALID_DRIVE:
    case FR_NOT_ENABLED:
    case FR_NO_FILESYSTEM: return -ENODEV;
    case FR_NOT_ENOUGH_CORE: return -ENOMEM;
    case FR_TOO_MANY_OPEN_FILES: return -EMFILE;
    case FR_INVALID_PARAMETER: return -EINVAL;
    default: return -EIO;
  }
}

ports::FatHandle& handle_of(fs_file_t* file) { return *static_cast<ports::FatHandle*>(file->filep); }

}  // namespace

int fs_open(fs_file_t* zfp, const char* file_name, fs_mode_t flags) {
  if (zfp->filep != nullptr) return -EBUSY;
  int mode = flags & FS_O_WRITE ? FA_READ | FA_WRITE : FA_READ;
  if (flags & FS_O_CREATE) mode |= FA_OPEN_ALWAYS;
  auto* const handle = new ports::FatHandle;
  const FRESULT result = handle->open(path_in_volume(file_name), static_cast<BYTE>(mode));
  if (result == FR_OK) {
    zfp->filep = handle;
  } else {
    delete handle;
  }
  return error_of(result);
}

int fs_close(fs_file_t* zfp) {
  if (zfp->filep == nullptr) return 0;
  const FRESULT result = handle_of(zfp).close();
  delete &handle_of(zfp);
  zfp->filep = nullptr;
  return error_of(result);
}

ssize_t fs_read(fs_file_t* zfp, void* ptr, size_t size) {
  FRESULT result = FR_OK;
  const std::int64_t moved = handle_of(zfp).read(ptr, size, result);
  return moved < 0 ? error_of(result) : static_cast<ssize_t>(moved);
}

ssize_t fs_write(fs_file_t* zfp, const void* ptr, size_t size) {
  FRESULT result = FR_OK;
  const std::int64_t moved = handle_of(zfp).write(ptr, size, result);
  return moved < 0 ? error_of(result) : static_cast<ssize_t>(moved);
}

int fs_seek(fs_file_t* zfp, off_t offset, int whence) {
  ports::FatHandle& handle = handle_of(zfp);
  const off_t size = ports::as_off_t(handle.size());
  const off_t from = whence == FS_SEEK_SET ? 0 : whence == FS_SEEK_CUR ? fs_tell(zfp) : size;
  if (from + offset < 0 || from + offset > size) return -EINVAL;
  return error_of(handle.seek(static_cast<std::uint64_t>(from + offset)));
}

off_t fs_tell(fs_file_t* zfp) { return ports::as_off_t(handle_of(zfp).position()); }

int fs_truncate(fs_file_t* zfp, off_t length) {
  ports::FatHandle& handle = handle_of(zfp);
  if (static_cast<std::uint64_t>(length) > handle.size()) return -ENOTSUP;  // Zephyr would fill it with zeros
  return error_of(handle.truncate(static_cast<std::uint64_t>(length)));
}

int fs_sync(fs_file_t* zfp) { return error_of(handle_of(zfp).sync()); }

namespace {

void put_entry(const FILINFO& found, fs_dirent& entry) {
  entry.type = (found.fattrib & AM_DIR) != 0 ? FS_DIR_ENTRY_DIR : FS_DIR_ENTRY_FILE;
  std::strcpy(entry.name, found.fname);
  entry.size = found.fsize;
}

}  // namespace

int fs_opendir(fs_dir_t* zdp, const char* path) {
  auto* const list = new DIR;
  const FRESULT result = f_opendir(list, path_in_volume(path));
  if (result == FR_OK) {
    zdp->dirp = list;
  } else {
    delete list;
  }
  return error_of(result);
}

int fs_readdir(fs_dir_t* zdp, fs_dirent* entry) {
  FILINFO found;
  const FRESULT result = f_readdir(static_cast<DIR*>(zdp->dirp), &found);
  if (result == FR_OK) put_entry(found, *entry);
  return error_of(result);
}

int fs_closedir(fs_dir_t* zdp) {
  auto* const list = static_cast<DIR*>(zdp->dirp);
  const FRESULT result = f_closedir(list);
  delete list;
  zdp->dirp = nullptr;
  return error_of(result);
}

int fs_stat(const char* path, fs_dirent* entry) {
  FILINFO found;
  const FRESULT result = f_stat(path_in_volume(path), &found);
  if (result == FR_OK) put_entry(found, *entry);
  return error_of(result);
}

int fs_unlink(const char* path) { return error_of(f_unlink(path_in_volume(path))); }
