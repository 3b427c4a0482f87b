// This machine's checksum: with the library's own the tests would take twice as long.
#pragma once

#include "microparquet/options.h"
#include "microparquet/port/crc32_hardware.h"

namespace filesystems {

constexpr microparquet::Crc32 kChecksum = &microparquet::crc32_hardware;

}  // namespace filesystems
