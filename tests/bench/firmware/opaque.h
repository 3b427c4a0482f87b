// What the compiler shall believe to be used, or to have been changed.
#pragma once

namespace microparquet::bench {

template <typename T>
inline void opaque(T& object) {
  asm volatile("" : : "r"(&object) : "memory");
}

}  // namespace microparquet::bench
