#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/native_file.h"

namespace microparquet::desktop {

int error_of(const NativeFile& file) { return file.native_error(); }

std::string error_text(int error) { return std::strerror(error); }

bool is_no_space(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

Descriptor::~Descriptor() {
  if (is_open()) {
    static_cast<void>(::close(number_));
  }
}

namespace {

FileKind kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return FileKind::kFile;
    case S_IFDIR: return FileKind::kFolder;
    case S_IFBLK: return FileKind::kBlockDevice;
    default: return FileKind::kOther;
  }
}

timespec change_of(const struct stat& information) {
#ifdef __APPLE__
  return information.st_mtimespec;
#else
  return information.st_mtim;
#endif
}

FileState state_from(const struct stat& information) {
  constexpr std::int64_t kNanosInSecond = 1'000'000'000;
  const timespec change = change_of(information);
  return {kind_of(information.st_mode),
          static_cast<std::uint64_t>(information.st_size),
          change.tv_sec * kNanosInSecond + change.tv_nsec,
          {static_cast<std::uint64_t>(information.st_dev), static_cast<std::uint64_t>(information.st_ino)}};
}

int flags_of(Access access) {
  switch (access) {
    case Access::kRead: return O_RDONLY;
    case Access::kReadAtOnce: return O_RDONLY | O_NONBLOCK;
    case Access::kWrite: return O_WRONLY;
    case Access::kChange: return O_RDWR | O_CREAT;
    case Access::kReplace: return O_RDWR | O_CREAT | O_TRUNC;
  }
  return O_RDONLY;
}

}  // namespace

FileState state_of(const std::string& path) {
  struct stat information = {};
  return stat(path.c_str(), &information) == 0 ? state_from(information) : FileState();
}

FileState state_of(int descriptor) {
  struct stat information = {};
  return fstat(descriptor, &information) == 0 ? state_from(information) : FileState();
}

Descriptor open_file(const std::string& path, Access access) {
  constexpr mode_t kReadableByAll = 0666;  // less what umask takes away
  return Descriptor(::open(path.c_str(), flags_of(access) | O_CLOEXEC, kReadableByAll));
}

Descriptor open_folder(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

Descriptor open_inside(int folder, const std::string& name, FileKind kind) {
  const int flags = kind == FileKind::kFolder ? O_DIRECTORY : 0;
  return Descriptor(::openat(folder, name.c_str(), O_RDONLY | flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
}

std::string path_of(int descriptor) { return "/dev/fd/" + std::to_string(descriptor); }

std::ptrdiff_t read_some(int descriptor, void* out, std::size_t bytes) {
  return ::read(descriptor, out, bytes);
}

std::ptrdiff_t read_some_at(int descriptor, void* out, std::size_t bytes, std::uint64_t offset) {
  return ::pread(descriptor, out, bytes, static_cast<off_t>(offset));
}

std::ptrdiff_t write_some(int descriptor, const void* data, std::size_t bytes) {
  return ::write(descriptor, data, bytes);
}

std::ptrdiff_t write_some_at(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset) {
  return ::pwrite(descriptor, data, bytes, static_cast<off_t>(offset));
}

int wait_to_read(int descriptor, int milliseconds) {
  pollfd input = {descriptor, POLLIN, 0};
  return poll(&input, 1, milliseconds);
}

std::int64_t place_of(int descriptor) { return lseek(descriptor, 0, SEEK_CUR); }

bool seek(int descriptor, std::uint64_t offset) {
  return lseek(descriptor, static_cast<off_t>(offset), SEEK_SET) >= 0;
}

std::int64_t end_of(int descriptor) { return lseek(descriptor, 0, SEEK_END); }

std::uint64_t end_of_hole([[maybe_unused]] int descriptor, [[maybe_unused]] std::uint64_t offset) {
#if defined(SEEK_HOLE) && defined(SEEK_DATA)
  const auto at = static_cast<off_t>(offset);
  if (lseek(descriptor, at, SEEK_HOLE) == at) {
    off_t data = lseek(descriptor, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) {  // the last hole
      data = lseek(descriptor, 0, SEEK_END);
    }
    return data > at ? static_cast<std::uint64_t>(data) : 0;
  }
#endif
  return 0;
}

bool cut(int descriptor, std::uint64_t bytes) {
  return ftruncate(descriptor, static_cast<off_t>(bytes)) == 0;
}

bool put_on_disk(int descriptor) { return fsync(descriptor) == 0; }

void put_names_on_disk([[maybe_unused]] int descriptor) {
#ifdef __linux__
  static_cast<void>(syncfs(descriptor));
#else
  ::sync();
#endif
}

bool lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

std::string without_links(const std::string& path) {
  char* const found = realpath(path.c_str(), nullptr);
  const std::string result = found != nullptr ? found : path;
  std::free(found);
  return result;
}

bool replace(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

bool remove_file(const std::string& path) { return ::unlink(path.c_str()) == 0; }

Descriptor open_temporary(const std::string& folder) {
  std::string path = folder + "/mpq.XXXXXX";
  Descriptor file(mkostemp(path.data(), O_CLOEXEC));
  if (file.is_open()) {
    static_cast<void>(unlink(path.c_str()));
  }
  return file;
}

const char* temporary_variable() { return "TMPDIR"; }

std::string temporary_folder() {
  const char* const told = std::getenv(temporary_variable());
  return told != nullptr ? told : "/tmp";
}

std::string make_beside(const std::string& path) {
  std::string made = path + ".XXXXXX";
  const Descriptor file(mkstemp(made.data()));
  if (!file.is_open()) {
    return {};
  }
  struct stat information = {};
  if (stat(path.c_str(), &information) == 0) {
    static_cast<void>(fchown(file.number(), information.st_uid, information.st_gid) == 0);  // where it may
    static_cast<void>(fchmod(file.number(), information.st_mode & 07777));
  }
  return made;
}

std::vector<std::string> paths_like(const std::string& pattern) {
  glob_t found = {};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  return paths;
}

}  // namespace microparquet::desktop
