// Arrays with a byte a row, which is a mark unless it is 0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.h"
#include "base/endian.h"

namespace microparquet::util {

inline constexpr std::uint32_t kMarks = 8;  // bytes that are examined at once

// Returns eight marks as bytes that are 0 or 1.
inline std::uint64_t marks_at(const std::uint8_t* marks) {
  return bytes_set(load<std::uint64_t>(reinterpret_cast<const std::byte*>(marks)));
}

// Counts the marks in `eights` times eight bytes, at most as many as a byte can count.
inline std::uint32_t count_eights(const std::uint8_t* marks, std::uint32_t eights) {
  std::uint64_t sums = 0;
  for (std::uint32_t i = 0; i < eights; ++i) sums += marks_at(marks + std::size_t{kMarks} * i);
  return count_bytes(sums);
}

// Counts the marks in `count` bytes.
inline std::size_t count_marks(const std::uint8_t* marks, std::size_t count) {
  constexpr std::uint32_t kEights = 255 / kMarks;
  std::size_t found = 0;
  for (; count >= kMarks * kEights; count -= kMarks * kEights, marks += kMarks * kEights)
    found += count_eights(marks, kEights);
  for (; count != 0; --count, ++marks) found += *marks != 0 ? 1U : 0U;
  return found;
}

}  // namespace microparquet::util
