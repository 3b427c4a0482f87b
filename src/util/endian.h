// Little-endian integers at any address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/detail/config.h"

namespace microparquet::util {

// The compiler turns these into plain loads and stores where the machine allows unaligned ones.
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

}  // namespace microparquet::util
