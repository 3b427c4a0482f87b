// A row of the log, and its columns.
#pragma once

#include <cstdint>
#include <optional>

#include "microparquet/typed.h"

namespace host_log {

struct Sample {
  std::int64_t time_us = 0;            // since 1970-01-01 00:00 UTC
  float cpu_percent = 0;               // of all cores, since the sample before
  std::int64_t memory_used_bytes = 0;  // what programs could not get any more
  float load_1min = 0;                 // processes that ran or waited to run, averaged
  std::optional<float> temperature_c;  // none on machines without a sensor
};

inline constexpr auto kSchema =
    microparquet::schema(microparquet::timestamp_us_column("time", &Sample::time_us),
                         microparquet::column("cpu_percent", &Sample::cpu_percent),
                         microparquet::column("memory_used_bytes", &Sample::memory_used_bytes),
                         microparquet::column("load_1min", &Sample::load_1min),
                         microparquet::column("temperature_c", &Sample::temperature_c));

}  // namespace host_log
