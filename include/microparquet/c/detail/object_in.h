// Objects for C in memory whose size the caller says. C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "microparquet/c/status.h"

namespace microparquet::c {

// All zeros is an object without contents.
template <typename Object>
mpq_status object_in(void* memory, std::size_t bytes, Object** object) {
  static_assert(std::is_trivial_v<Object> && alignof(Object) <= 8);
  if (object == nullptr) return MPQ_INVALID_ARGUMENT;
  *object = nullptr;
  if (memory == nullptr || reinterpret_cast<std::uintptr_t>(memory) % 8 != 0) return MPQ_INVALID_ARGUMENT;
  if (bytes < sizeof(Object)) return MPQ_OUT_OF_MEMORY;
  std::memset(memory, 0, sizeof(Object));
  *object = static_cast<Object*>(memory);
  return MPQ_OK;
}

}  // namespace microparquet::c
