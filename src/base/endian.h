// Little-endian integers in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/detail/config.h"

namespace microparquet::util {

// Load and store at any address. The compiler turns these into plain instructions on machines that allow
// unaligned access.
template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <typename T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// Requires: `at` is a multiple of the integer's size.
template <typename T>
T load_aligned(const std::byte* at) {
  T value;
  std::memcpy(&value, __builtin_assume_aligned(at, sizeof value), sizeof value);
  return value;
}
template <typename T>
void store_aligned(std::byte* at, T value) {
  std::memcpy(__builtin_assume_aligned(at, sizeof value), &value, sizeof value);
}

}  // namespace microparquet::util
