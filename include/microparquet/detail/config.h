// What the library takes for granted of the machine.
#pragma once

#include <cstdint>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "microparquet stores values as the machine holds them, and Parquet is little-endian"
#endif

namespace microparquet::detail {

// Row groups are counted in 16 bits by several readers.
inline constexpr unsigned kMaxRowGroups = 32767;

// A footer that has been on its way for this part of Options::max_loss_ms is late, and a tick writes this
// many windows of it.
inline constexpr std::uint32_t kLateShare = 8;
inline constexpr std::uint32_t kLateWindows = 8;

}  // namespace microparquet::detail
