// What Linux says of the machine it runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sample.h"

namespace host_log {

class Readings {
 public:
  // Looks for a temperature sensor, and begins to count the CPU's time.
  Readings();

  // The machine now. Never fails: what cannot be read is 0, or no temperature.
  Sample take();

  // Where temperatures come from; empty without a sensor.
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

}  // namespace host_log
