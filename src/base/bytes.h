// Copying and clearing bytes.
//
// On devices by loops: the C library's memmove and memset take several hundred bytes on a Cortex-M4 and would
// be linked for a few short moves. On desktops by the library, which is fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/endian.h"
#include "microparquet/detail/desktop.h"

namespace microparquet::util {

// The loops of devices. The empty instruction hides a loop from the compiler, which would call memmove.
namespace loops {

[[maybe_unused, gnu::noinline]] inline void move_bytes(std::byte* to, const std::byte* from,
                                                       std::size_t bytes) {
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

[[maybe_unused, gnu::noinline]] inline void clear_bytes(void* at, std::size_t bytes) {
  for (auto* to = static_cast<std::byte*>(at); bytes != 0; --bytes) {
    *to++ = std::byte{0};
    asm("" : "+r"(to));
  }
}

[[maybe_unused]] inline void clear_words(std::byte* at, std::size_t bytes) {
  for (std::byte* const end = at + bytes; at != end; at += sizeof(std::uint32_t)) {
    store_aligned(at, std::uint32_t{0});
    asm("" : "+r"(at));
  }
}

[[maybe_unused, gnu::noinline]] inline void copy_words(std::byte* to, const std::byte* from,
                                                       std::size_t bytes) {
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

// Byte by byte unless both addresses are multiples of four.
[[maybe_unused, gnu::noinline]] inline void move_aligned(std::byte* to, const std::byte* from,
                                                         std::size_t bytes) {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  const std::size_t words = bytes & ~(kWord - 1);
  const bool together =
      ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) & (kWord - 1)) == 0;
  if (!together) return move_bytes(to, from, bytes);
  if (to < from) {
    for (const std::byte* const end = from + words; from != end; from += kWord, to += kWord) {
      store_aligned(to, load_aligned<std::uint32_t>(from));
      asm("" : "+r"(from));
    }
    return move_bytes(to, from, bytes - words);
  }
  move_bytes(to + words, from + words, bytes - words);
  for (std::size_t left = words; left != 0; left -= kWord) {
    store_aligned(to + left - kWord, load_aligned<std::uint32_t>(from + left - kWord));
    asm("" : "+r"(to));
  }
}

}  // namespace loops

// Moves bytes; the two ranges may overlap.
inline void move_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if constexpr (!detail::kDesktop) return loops::move_bytes(to, from, bytes);
  if (bytes != 0) std::memmove(to, from, bytes);
}

inline void clear_bytes(void* at, std::size_t bytes) {
  if constexpr (!detail::kDesktop) return loops::clear_bytes(at, bytes);
  if (bytes != 0) std::memset(at, 0, bytes);
}

// Clears many bytes, a word at a time. Requires: address and length are multiples of four.
inline void clear_words(std::byte* at, std::size_t bytes) {
  if constexpr (!detail::kDesktop) return loops::clear_words(at, bytes);
  clear_bytes(at, bytes);
}

// Copies many bytes, a word at a time. Requires: `to` lies at least a word before `from`, or they do not overlap.
inline void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  if constexpr (!detail::kDesktop) return loops::copy_words(to, from, bytes);
  move_bytes(to, from, bytes);
}

// Moves bytes as move_bytes(), a word at a time if both addresses are multiples of four.
inline void move_aligned(std::byte* to, const std::byte* from, std::size_t bytes) {
  if constexpr (!detail::kDesktop) return loops::move_aligned(to, from, bytes);
  move_bytes(to, from, bytes);
}

// Moves bytes to a lower address, or to where the two ranges do not overlap: a word at a time on cores that load
// and store words at any address.
inline void move_down(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __ARM_FEATURE_UNALIGNED
  if constexpr (!detail::kDesktop) return loops::copy_words(to, from, bytes);
#endif
  move_bytes(to, from, bytes);
}

}  // namespace microparquet::util
