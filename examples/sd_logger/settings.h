// The settings of a product: its own numbers, and how it logs.
#pragma once

#include <cstdint>
#include <string_view>

#include "microparquet/card_plan.h"
#include "microparquet/options.h"
#include "microparquet/retention.h"
#include "microparquet/rolling.h"
#include "microparquet/row_queue.h"
#include "sample.h"

// Eight characters; a product takes them from its chip's unique number.
inline constexpr std::string_view kDeviceId = "6A1B0042";
static_assert(kDeviceId.size() == 8);
inline constexpr std::string_view kFirmwareVersion = "1.0.0";

// Cards may pause for a second; a checkpoint and the first rows of a new file take less than the rest.
inline constexpr std::uint32_t kMaxRowsPerSecond = 400;
inline constexpr std::uint32_t kLongestStallMs = 1000;
inline constexpr std::uint32_t kBusyMs = 100;
using SampleQueue = microparquet::RowQueue<Sample, microparquet::row_queue_depth(kMaxRowsPerSecond,
                                                                                 kLongestStallMs, kBusyMs)>;

// Whether the device is switched on for a few rows at a time, each minute say: a setting of the build, since its files have another
// layout.
#ifndef SD_LOGGER_BOOTS_ARE_WAKES
#define SD_LOGGER_BOOTS_ARE_WAKES false
#endif

// A power cut takes away at most a minute.
constexpr microparquet::Options usual_options() {
  microparquet::Options options;
  options.checkpoint_ms = 10'000;
  options.max_loss_ms = 60'000;
  return options;
}

// A log of wakes, a row of 40 bytes a minute: its boots take no row group each.
inline constexpr microparquet::CardPlan kWakes{8'000, {60, 40, 1'000, 0}};

constexpr microparquet::Options logger_options() {
  microparquet::Options options =
      SD_LOGGER_BOOTS_ARE_WAKES ? microparquet::kPlannedOptions<kSchema, kWakes> : usual_options();
  options.max_key_values = 17;
  return options;
}
inline constexpr microparquet::Options kOptions = logger_options();

// Limits at which one file gives way to the next: 256 MB.
inline constexpr microparquet::RollLimits kSplitLimits = {};

// What becomes of earlier files.
struct Keeping {
  // What is removed from a full card: nothing; with kDropOldest the oldest files.
  microparquet::RetentionLimits limits = {};
  // A boot continues the last session's newest file. Its samples' numbers and times have to continue as well.
  bool boots_are_wakes = SD_LOGGER_BOOTS_ARE_WAKES;
};
inline constexpr Keeping kKeeping = {};
static_assert(check_limits(kKeeping.limits, kSplitLimits) == microparquet::Status::kOk);
