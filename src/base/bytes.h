// Copying and clearing bytes.
//
// Where size counts, as loops: the C library's memmove and memset are several hundred bytes on a Cortex-M4
// and would be linked for a few short moves. Elsewhere they are what is fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/endian.h"

namespace microparquet::util {

#ifdef __OPTIMIZE_SIZE__

// The empty instruction keeps the compiler from seeing a memmove in the loop and calling it.
[[gnu::noinline]] inline void move_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (to < from) {
    for (const std::byte* const end = from + bytes; from != end;) {
      *to++ = *from++;
      asm("" : "+r"(from));
    }
    return;
  }
  for (; bytes != 0; --bytes) {
    to[bytes - 1] = from[bytes - 1];
    asm("" : "+r"(to));
  }
}

[[gnu::noinline]] inline void clear_bytes(void* at, std::size_t bytes) {
  for (auto* to = static_cast<std::byte*>(at); bytes != 0; --bytes) {
    *to++ = std::byte{0};
    asm("" : "+r"(to));
  }
}

// Where they are many, a word at a time. Requires: both are multiples of four.
inline void clear_words(std::byte* at, std::size_t bytes) {
  for (std::byte* const end = at + bytes; at != end; at += sizeof(std::uint32_t)) {
    store_aligned(at, std::uint32_t{0});
    asm("" : "+r"(at));
  }
}

// Where they are many, a word at a time. `to` is not less than a word before `from`, or the two do not overlap.
[[gnu::noinline]] inline void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (; bytes >= sizeof(std::uint32_t); bytes -= sizeof(std::uint32_t), to += sizeof(std::uint32_t)) {
    store(to, load<std::uint32_t>(from));
    from += sizeof(std::uint32_t);
    asm("" : "+r"(from));
  }
  for (; bytes != 0; --bytes) {
    *to++ = *from++;
    asm("" : "+r"(from));
  }
}

#else

// The two may overlap.
inline void move_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes != 0) std::memmove(to, from, bytes);
}

inline void clear_bytes(void* at, std::size_t bytes) {
  if (bytes != 0) std::memset(at, 0, bytes);
}

inline void clear_words(std::byte* at, std::size_t bytes) { clear_bytes(at, bytes); }

inline void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  move_bytes(to, from, bytes);
}

#endif

}  // namespace microparquet::util
