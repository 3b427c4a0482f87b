// The kinds of log, the period of their rows and of their bursts.
#pragma once

#include <cstdint>

#include "air.h"
#include "microparquet/options.h"
#include "motion.h"

struct MotionLog {
  using Row = Motion;
  static constexpr std::uint32_t kRowsPerSecond = 100;
  static constexpr std::uint32_t kBurstSeconds = 10;
  static constexpr auto& kSchema = kMotionSchema;
  static constexpr auto kSample = &sample_motion;

  // A footer has an entry for each row group, and each checkpoint writes a footer: so few of them.
  static constexpr microparquet::Options kOptions = [] {
    microparquet::Options options;
    options.row_group_bytes = 1 << 20;
    return options;
  }();
};

struct AirLog {
  using Row = Air;
  static constexpr std::uint32_t kRowsPerSecond = 1;
  static constexpr std::uint32_t kBurstSeconds = 300;
  static constexpr auto& kSchema = kAirSchema;
  static constexpr auto kSample = &sample_air;
  static constexpr microparquet::Options kOptions = {};
};
