// The two sensors and how each is logged.
#pragma once

#include <cstdint>

#include "air.h"
#include "microparquet/durability.h"
#include "microparquet/options.h"
#include "motion.h"

// 100 rows a second.
struct MotionLog {
  using Row = Motion;
  static constexpr const char* kPath = "MOTION.parquet";
  static constexpr std::uint32_t kPeriodMs = 10;
  static constexpr std::uint32_t kRowsPerSecond = 100;  // rounded up
  static constexpr std::uint32_t kBytesPerRow = 32;
  static constexpr auto& kSchema = kMotionSchema;
  static constexpr auto kSample = &sample_motion;
  static constexpr microparquet::Options kOptions = {};
};

// A row each ten seconds: a page of 512 bytes takes 20 minutes of it, so that what a power cut costs is said
// by the time between checkpoints alone. A file of a day has some 400 KB; row groups of the usual 24 to
// 72 KiB would be hours long, and the last one mostly holes.
struct AirLog {
  using Row = Air;
  static constexpr const char* kPath = "AIR.parquet";
  static constexpr std::uint32_t kPeriodMs = 10'000;
  static constexpr std::uint32_t kRowsPerSecond = 1;
  static constexpr std::uint32_t kBytesPerRow = 20;
  static constexpr auto& kSchema = kAirSchema;
  static constexpr auto kSample = &sample_air;
  static constexpr microparquet::Options kOptions = [] {
    microparquet::Options options;
    options.row_group_bytes = 16 << 10;
    options.max_loss_ms = 300'000;
    return options;
  }();
};

// The most that a power cut costs, while the file has up to this many row groups.
template <typename Log>
constexpr microparquet::LossBound loss_of() {
  constexpr std::uint32_t kRowGroups = 50;
  constexpr microparquet::LogRate kRate = {3'600'000 / Log::kPeriodMs, Log::kBytesPerRow, 100};
  return microparquet::loss_bound(microparquet::Schema(Log::kSchema.fields), Log::kOptions, kRate,
                                  kRowGroups);
}
