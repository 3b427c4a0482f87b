// The checksum as firmware has it.
#pragma once

#include "microparquet/crc32.h"
#include "microparquet/options.h"

namespace filesystems {

constexpr microparquet::Crc32 kChecksum = &microparquet::crc32_portable;

}  // namespace filesystems
