// What the library takes for granted of the machine.
#pragma once

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "microparquet stores values as the machine holds them, and Parquet is little-endian"
#endif

namespace microparquet::detail {

inline constexpr unsigned kSectorBytes = 512;

// Row groups are counted in 16 bits by several readers.
inline constexpr unsigned kMaxRowGroups = 32767;

}  // namespace microparquet::detail
