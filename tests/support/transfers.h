// Memory as drivers see it that move whole sectors by DMA.
#pragma once

#include <cstddef>
#include <cstdint>

namespace support {

inline constexpr std::size_t kWordBytes = 4;  // of DMA
inline constexpr std::size_t kSectorBytes = 512;

// A range of memory that a file system hands to the driver of a card: the whole sectors of a call. The bytes
// before and after them go through the file system's own buffer.
struct Transfer {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  // Of a call that moves `bytes` bytes at `offset` of a file, which begins on a sector.
  static Transfer of(std::uint64_t offset, const void* memory, std::size_t bytes) {
    const auto before = static_cast<std::size_t>((0 - offset) % kSectorBytes);
    if (bytes < before + kSectorBytes) return {};
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory) + before;
    return {begin, begin + (bytes - before) / kSectorBytes * kSectorBytes};
  }

  // Whether its ends are multiples of this.
  bool is_on(std::size_t align) const { return (begin | end) % align == 0; }
};

// What DMA does to a core with a data cache of such lines that invalidates all lines of what it reads, as
// ST's driver does: the other bytes of the first and the last line are no longer what the program wrote.
inline void spoil_lines(const Transfer& read, std::size_t line) {
  constexpr std::byte kStale{0xA5};
  // NOLINTBEGIN(performance-no-int-to-ptr): lines are found by addresses
  for (std::uintptr_t at = read.begin; at % line != 0;) *reinterpret_cast<std::byte*>(--at) = kStale;
  for (std::uintptr_t at = read.end; at % line != 0;) *reinterpret_cast<std::byte*>(at++) = kStale;
  // NOLINTEND(performance-no-int-to-ptr)
}

}  // namespace support
