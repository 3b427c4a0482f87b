// The functions of POSIX for folders that VfsLogFolder calls, as ESP-IDF has them for FAT: a folder's entries have no size. The
// linker replaces the system's by them (--wrap).
#include <dirent.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#define DIR FatFsDir  // which both have
#include "ff.h"
#undef DIR

namespace {

const char* path_in_volume(const char* path) { return std::strchr(path + 1, '/') + 1; }

int answer(FRESULT result) {
  if (result == FR_OK) return 0;
  const bool is_missing = result == FR_NO_FILE || result == FR_NO_PATH;
  const bool is_denied = result == FR_DENIED || result == FR_LOCKED;
  errno = is_missing ? ENOENT : is_denied ? EACCES : EIO;
  return -1;
}

struct Listed {
  FatFsDir list;
  dirent entry;
};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming, bugprone-reserved-identifier): the linker's names
extern "C" {

void* __wrap_opendir(const char* path) {
  auto* const listed = new Listed{};
  if (answer(f_opendir(&listed->list, path_in_volume(path))) == 0) return listed;
  delete listed;
  return nullptr;
}

dirent* __wrap_readdir(void* list) {
  auto* const listed = static_cast<Listed*>(list);
  FILINFO found;
  if (answer(f_readdir(&listed->list, &found)) != 0 || found.fname[0] == 0) return nullptr;
  std::strcpy(listed->entry.d_name, found.fname);
  return &listed->entry;
}

int __wrap_closedir(void* list) {
  auto* const listed = static_cast<Listed*>(list);
  const FRESULT result = f_closedir(&listed->list);
  delete listed;
  return answer(result);
}

int __wrap_stat(const char* path, struct stat* about) {
  FILINFO found;
  *about = {};
  if (answer(f_stat(path_in_volume(path), &found)) != 0) return -1;
  about->st_mode = (found.fattrib & AM_DIR) != 0 ? S_IFDIR : S_IFREG;
  about->st_size = static_cast<off_t>(found.fsize);
  return 0;
}

int __wrap_unlink(const char* path) { return answer(f_unlink(path_in_volume(path))); }
int __wrap_rmdir(const char* path) { return answer(f_unlink(path_in_volume(path))); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming, bugprone-reserved-identifier)
