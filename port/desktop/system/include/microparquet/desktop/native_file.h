// File of the system that a program is built for, by its port.
#pragma once

#include <string>

#ifdef _WIN32
#include "microparquet/port/windows_file.h"
#else
#include "microparquet/port/posix_file.h"
#endif

namespace microparquet::desktop {

#ifdef _WIN32
using NativeFile = WindowsFile;
#else
using NativeFile = PosixFile;
#endif

// Returns the errno of the call that failed last.
int error_of(const NativeFile& file);

// Returns what an errno of these libraries means, in the system's words.
std::string error_text(int error);

// Returns why the last call failed.
inline std::string why_failed(const NativeFile& file) { return error_text(error_of(file)); }

// Returns whether there is no space, for an errno: on the disk, of a quota, or below a limit on the size of files.
bool is_no_space(int error);

}  // namespace microparquet::desktop
