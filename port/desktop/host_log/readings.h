// A row of the log, and the readings of Linux for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "microparquet/typed.h"

namespace host_log {

// A row of the log, and its columns.
struct Sample {
  std::int64_t time_us = 0;            // microseconds since 1970-01-01 00:00 UTC
  float cpu_percent = 0;               // share of all cores since the sample before
  std::int64_t memory_used_bytes = 0;  // memory that programs could not get any more
  float load_1min = 0;                 // processes that ran or waited to run, averaged
  std::optional<float> temperature_c;  // none on machines without a sensor
};

inline constexpr auto kSchema =
    microparquet::schema(microparquet::timestamp_us_column("time", &Sample::time_us),
                         microparquet::column("cpu_percent", &Sample::cpu_percent),
                         microparquet::column("memory_used_bytes", &Sample::memory_used_bytes),
                         microparquet::column("load_1min", &Sample::load_1min),
                         microparquet::column("temperature_c", &Sample::temperature_c));

// Readings of Linux about the machine it runs on.
class Readings {
 public:
  // Looks for a temperature sensor, and begins to count the CPU's time.
  Readings();

  // The machine now. Never fails: what cannot be read is 0, or no temperature.
  Sample take();

  // The source of temperatures; empty without a sensor.
  const std::string& temperature_source() const { return temperature_path_; }

 private:
  struct CpuTime {
    std::uint64_t busy = 0;
    std::uint64_t all = 0;
  };
  static CpuTime cpu_time();
  std::optional<float> temperature() const;

  CpuTime before_;
  std::string temperature_path_;
};

// The last sample in one line, for the terminal.
std::string status_text(const Sample& sample, std::uint64_t rows);

}  // namespace host_log
