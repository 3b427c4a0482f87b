// What is one thing in C and in C++.
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

// An mpq_file is a File that C does not look into.
inline File& from_c(mpq_file& file) { return reinterpret_cast<File&>(file); }
inline mpq_file* to_c(File& file) { return reinterpret_cast<mpq_file*>(&file); }

// Not by strlen(), which takes ten times as much in a device's library, so compilers must not make it of the loop.
#if defined(__GNUC__) && !defined(__clang__)
[[gnu::optimize("no-tree-loop-distribute-patterns")]]
#endif
inline std::size_t bytes_of(const char* text) {
  std::size_t bytes = 0;
  while (text[bytes] != 0) ++bytes;
  return bytes;
}

// Whether what lies there may be used as a T.
template <typename T>
bool is_aligned(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignof(T) == 0;
}

inline std::string_view view_of(const char* text) { return {text, bytes_of(text)}; }

}  // namespace microparquet::c
