// The checksum of bytes in memory.
#pragma once

#include <cstdint>

#include "byte_views.h"
#include "microparquet/port/crc32_hardware.h"

namespace microparquet::recovery {

// Of `bytes`, after those whose checksum is `seed`.
inline std::uint32_t crc_of(std::uint32_t seed, ByteView bytes) {
  return crc32_hardware(seed, bytes.data(), bytes.size());
}

}  // namespace microparquet::recovery
