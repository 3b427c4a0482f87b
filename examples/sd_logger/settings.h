// The settings of a product: its own numbers, and how it logs.
#pragma once

#include <cstdint>
#include <string_view>

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

// A power cut takes away at most a minute.
constexpr microparquet::Options logger_options() {
  microparquet::Options options;
  options.checkpoint_ms = 10'000;
  options.max_loss_ms = 60'000;
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
  // The device is switched on for a few rows at a time: a boot continues the last session's newest file. Its
  // samples' numbers and times have to continue as well.
  bool boots_are_wakes = false;
};
inline constexpr Keeping kKeeping = {};
static_assert(check_limits(kKeeping.limits, kSplitLimits) == microparquet::Status::kOk);
