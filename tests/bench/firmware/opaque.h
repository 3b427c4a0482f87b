// Makes the compiler believe that an object is used, or that it was changed.
#pragma once

namespace microparquet::bench {

template <typename T>
inline void opaque(T& object) {
  asm volatile("" : : "r"(&object) : "memory");
}

}  // namespace microparquet::bench
