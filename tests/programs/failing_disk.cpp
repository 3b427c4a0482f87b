// Loaded before a program (LD_PRELOAD), in whose folder two files change what it meets:
//   failing   the name of a file, or "all" for those in the folder: writing to it is an error of the disk
//   later     seconds that its clock is ahead
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace {

std::string text_of(const char* path) {
  char text[256] = {};
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  return {text, bytes > 0 ? static_cast<std::size_t>(bytes) : 0};
}

bool fails(int descriptor) {
  const std::string failing = text_of("failing");
  if (failing.empty()) return false;
  char path[4096] = {};
  char folder[2048] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  if (readlink(link.c_str(), path, sizeof path - 1) <= 0 || getcwd(folder, sizeof folder) == nullptr)
    return false;
  const std::string begin = std::string(folder) + "/";
  const bool is_here = std::strncmp(path, begin.c_str(), begin.size()) == 0;
  return is_here && (failing == "all" || failing == path + begin.size());
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

ssize_t write_at(const char* name, int descriptor, const void* bytes, std::size_t count, off_t offset) {
  if (fails(descriptor)) {
    errno = EIO;
    return -1;
  }
  return next<ssize_t(int, const void*, std::size_t, off_t)>(name)(descriptor, bytes, count, offset);
}

}  // namespace

extern "C" {

// The C library's own names of parameters are reserved.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

ssize_t pwrite(int descriptor, const void* bytes, std::size_t count, off_t offset) {
  return write_at("pwrite", descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t count, off_t offset) {
  return write_at("pwrite64", descriptor, bytes, count, offset);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const function = next<int(clockid_t, timespec*)>("clock_gettime");
  const int result = function(clock, time);
  time->tv_sec += std::atol(text_of("later").c_str());
  return result;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
}
