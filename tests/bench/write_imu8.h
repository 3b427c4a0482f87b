// A log of `imu8`, as a device writes it.
#pragma once

#include "microparquet/file.h"
#include "support/imu8.h"
#include "support/must.h"

namespace microparquet::bench {

// Writes `rows` rows to a new log, one each `ms_per_row`. `appended()` is called after each, before the tick
// that follows it. The log stays open.
template <typename Writer, typename Appended>
void write_imu8(Writer& writer, File& file, std::uint32_t rows, std::uint32_t ms_per_row, Appended appended) {
  Imu8Generator generator(static_cast<std::int32_t>(rows));
  Imu8Row row = {};
  support::must(writer.open(file), "open");
  for (std::uint32_t i = 0; i < rows; ++i) {
    generator.next(row);
    support::must(writer.append(row), "append");
    appended();
    support::must(writer.tick(i * ms_per_row), "tick");
  }
}

template <typename Writer>
void write_imu8(Writer& writer, File& file, std::uint32_t rows, std::uint32_t ms_per_row) {
  write_imu8(writer, file, rows, ms_per_row, [] {});
}

}  // namespace microparquet::bench
