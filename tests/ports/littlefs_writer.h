// The writer of `imu8` onto a flash memory, by the memory that a row group is given.
#pragma once

#include <cstdint>

#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"

namespace microparquet::bench {

// Pages of a 16th, so that two of each column fit, up to 1 KiB.
constexpr Options littlefs_options(std::uint32_t kilobytes) {
  Options options;
  options.layout = &kForward;
  options.row_group_bytes = kilobytes << 10;
  options.page_bytes = kilobytes < 16 ? options.row_group_bytes / 16 : 1024;
  return options;
}

template <std::uint32_t kKilobytes>
inline constexpr Options kLittleFsOptions = littlefs_options(kKilobytes);

template <std::uint32_t kKilobytes>
using LittleFsWriter = StaticWriter<kImu8Schema, kLittleFsOptions<kKilobytes>>;

}  // namespace microparquet::bench
