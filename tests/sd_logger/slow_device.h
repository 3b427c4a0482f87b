// The logger of examples/sd_logger on this machine, with a row a second.
#pragma once

#include <cstdint>

#include "ff.h"
#include "logger.h"

namespace sd_logger_tests {

// The device, switched on, with a row a second.
struct SlowDevice {
  SlowDevice(const microparquet::RollLimits& roll, const Keeping& keep) : limits(roll), keeping(keep) {}

  ~SlowDevice() { f_mount(nullptr, "", 0); }  // FatFs has its volume
  SlowDevice(const SlowDevice&) = delete;
  SlowDevice& operator=(const SlowDevice&) = delete;

  // Takes rows, and writes. False: at some time the card was not being logged to.
  bool sample(std::int64_t begin, std::int64_t end) {
    constexpr unsigned kSteps = 10;  // a second
    bool logs = true;
    for (std::int64_t number = begin; number != end; ++number) {
      Sample row = {};
      row.number = number;
      queue.push(row);
      for (unsigned i = 0; i < kSteps; ++i) logger.step(now_ms += 1'000 / kSteps);
      logs = logs && logger.state() == CardState::kLogging;
    }
    return logs;
  }
  bool stop() {
    for (unsigned i = 0; i < 1'000; ++i) {
      logger.step(now_ms += 100);
      if (queue.pending() == 0 && logger.stop()) return true;
    }
    return false;
  }

  microparquet::RollLimits limits;
  Keeping keeping;
  std::uint32_t now_ms = 0;
  SampleQueue queue;
  SerialConsole console;
  Logger logger{queue, console, limits, keeping};
};

}  // namespace sd_logger_tests
