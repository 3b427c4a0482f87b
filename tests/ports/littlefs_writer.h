// The writer of `imu8` onto a flash memory, by the memory that a row group is given.
#pragma once

#include <cstdint>

#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"

namespace microparquet::bench {

// A column has one page in a small row group, since each page has a header.
inline constexpr std::uint32_t kMostPageBytes = 8192;

constexpr Options littlefs_options(std::uint32_t kilobytes) {
  Options options;
  options.layout = &kForward;
  options.row_group_bytes = kilobytes << 10;
  options.page_bytes = kMostPageBytes;
  return options;
}

template <std::uint32_t kKilobytes>
inline constexpr Options kLittleFsOptions = littlefs_options(kKilobytes);

template <std::uint32_t kKilobytes>
using LittleFsWriter = StaticWriter<kImu8Schema, kLittleFsOptions<kKilobytes>>;

}  // namespace microparquet::bench
