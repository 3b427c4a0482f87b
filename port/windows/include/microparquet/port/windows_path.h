// A path as Windows takes it, made of one in UTF-8.
#pragma once

#include <cstdint>

#include "microparquet/port/system_file.h"

namespace microparquet::detail {

class WindowsPath {
 public:
  enum class Names : std::uint8_t {
    kFile,      // refused, unless is_plain()
    kAnything,  // such as a folder, "."
  };

  // Takes a path, with / or \\, of up to 32,767 characters. Returns the system's error code, 0 for none; ERROR_INVALID_NAME: it
  // is refused.
  int take(const char* path, Names names = Names::kFile);
  // Requires: one was taken.
  const wchar_t* text() const { return reinterpret_cast<const wchar_t*>(bytes_.data()); }

  // Returns whether a path names a file as it says, and nothing else: see windows_file.h.
  static bool is_plain(const char* text);

 private:
  int make_absolute();

  MappedBytes bytes_;  // UTF-16, ends in a zero
};

}  // namespace microparquet::detail
