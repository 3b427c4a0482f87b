// Assumptions of the library about the machine.
#pragma once

#include <cstdint>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "microparquet stores values as the machine holds them, and Parquet is little-endian"
#endif

namespace microparquet::detail {

// Several readers count row groups in 16 bits.
inline constexpr unsigned kMaxRowGroups = 32767;

// A footer is late if it has been on its way for this part of Options::max_loss_ms; a tick then writes this
// many windows of it.
inline constexpr std::uint32_t kLateShare = 8;
inline constexpr std::uint32_t kLateWindows = 8;

// Largest Options::transfer_align: the longest line of a data cache that a driver is known to want.
inline constexpr std::uint32_t kMaxTransferAlign = 128;

// The largest page of a card: what one programming takes.
inline constexpr std::uint32_t kCardPage = 16 << 10;

// Ticks over which a footer is spread in the forward layout, at most, and the least that one of them writes, in
// windows.
inline constexpr std::uint32_t kMostFooterTicks = 64;
inline constexpr std::uint32_t kLeastFooterWindows = 8;

}  // namespace microparquet::detail
