// Types that are the same in C and in C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/c/file.h"
#include "microparquet/c/status.h"
#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet::c {

constexpr mpq_status to_c(Status status) { return static_cast<mpq_status>(status); }

// Converts between mpq_file, which is opaque to C, and File.
inline File& from_c(mpq_file& file) { return reinterpret_cast<File&>(file); }
inline mpq_file* to_c(File& file) { return reinterpret_cast<mpq_file*>(&file); }

// Measures a text without strlen(), which takes ten times as much flash in a device's library. The attribute
// keeps compilers from turning the loop into a call of it.
#if defined(__GNUC__) && !defined(__clang__)
[[gnu::optimize("no-tree-loop-distribute-patterns")]]
#endif
inline std::size_t bytes_of(const char* text) {
  std::size_t bytes = 0;
  while (text[bytes] != 0) ++bytes;
  return bytes;
}

// Returns whether the memory is aligned for a T.
template <typename T>
bool is_aligned(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignof(T) == 0;
}

inline std::string_view view_of(const char* text) { return {text, bytes_of(text)}; }

}  // namespace microparquet::c
