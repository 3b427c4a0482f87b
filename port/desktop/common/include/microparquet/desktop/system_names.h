// What POSIX systems name differently.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace microparquet::desktop {

// Returns when a file was changed last.
inline timespec change_of(const struct stat& information) {
#ifdef __APPLE__
  return information.st_mtimespec;
#else
  return information.st_mtim;
#endif
}

// Returns the path of the program that runs; empty if the system does not tell.
inline std::filesystem::path own_path() {
  std::error_code error;
#ifdef __APPLE__
  std::uint32_t bytes = 0;
  static_cast<void>(_NSGetExecutablePath(nullptr, &bytes));
  std::string path(bytes, 0);
  if (_NSGetExecutablePath(path.data(), &bytes) != 0) return {};
  return std::filesystem::canonical(path.c_str(), error);
#else
  return std::filesystem::read_symlink("/proc/self/exe", error);
#endif
}

}  // namespace microparquet::desktop
