// Numbers among the bytes of a file system.
#pragma once

#include <cstddef>
#include <cstring>

#include "byte_views.h"

namespace microparquet::recovery {

template <typename T>
T number_at(ByteView bytes, std::size_t at) {
  T number = {};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

inline unsigned byte_at(ByteView bytes, std::size_t at) { return std::to_integer<unsigned>(bytes[at]); }

}  // namespace microparquet::recovery
