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

// Cards may pause for a second; the end of a file and the first rows of the next one take less than the rest.
inline constexpr std::uint32_t kMaxRowsPerSecond = 400;
inline constexpr std::uint32_t kLongestStallMs = 1000;
inline constexpr std::uint32_t kBusyMs = 500;
using SampleQueue = microparquet::RowQueue<Sample, microparquet::row_queue_depth(kMaxRowsPerSecond,
                                                                                 kLongestStallMs, kBusyMs)>;

// Whether the device is switched on for a few rows at a time, each minute say: a setting of the build, since its files have another
// layout.
#ifndef SD_LOGGER_BOOTS_ARE_WAKES
#define SD_LOGGER_BOOTS_ARE_WAKES false
#endif

// Whether the log is written in place all the same: a setting of the build, for files of 256 MB with few row groups.
#ifndef SD_LOGGER_IN_PLACE
#define SD_LOGGER_IN_PLACE false
#endif

// Longest time between checkpoints of a stream. A power cut takes away the rows since the last one, and a card that fails
// or is pulled out those of them that have left the memory.
#ifndef SD_LOGGER_MAX_LOSS_MS
#define SD_LOGGER_MAX_LOSS_MS 30'000
#endif

// What is known of the log. Its driver reads each block back, and so holds no write open: row groups then are to be a card's
// page of 16 KiB. A log of wakes has a row of 40 bytes a minute, and its boots take no row group each.
inline constexpr microparquet::CardPlan kCardPlan =
    SD_LOGGER_BOOTS_ARE_WAKES
        ? microparquet::CardPlan{8'000, {60, 40, 1'000, 0}}
        : microparquet::CardPlan{20'000, {kMaxRowsPerSecond * 3'600, 40, kBusyMs, 0}, SD_LOGGER_MAX_LOSS_MS};
inline constexpr microparquet::PlannedLog kPlanned = microparquet::kPlannedLog<kSchema, kCardPlan>;
static_assert(kPlanned.fits(kCardPlan));

// A power cut takes away at most a minute.
constexpr microparquet::Options in_place_options() {
  microparquet::Options options;
  options.checkpoint_ms = 10'000;
  options.max_loss_ms = 60'000;
  return options;
}

constexpr microparquet::Options logger_options() {
  microparquet::Options options = SD_LOGGER_IN_PLACE ? in_place_options() : kPlanned.options;
  // The first footer is published alone, so that the entry of a file names its clusters from the beginning: a power cut
  // loses none of them.
  options.block_bytes = microparquet::Options().block_bytes;
  options.max_key_values = 17;
  return options;
}
inline constexpr microparquet::Options kOptions = logger_options();

// Limits at which one file gives way to the next: 256 MB, and of a stream the age that is planned.
inline constexpr microparquet::RollLimits kSplitLimits =
    kOptions.layout->in_place ? microparquet::RollLimits{} : kPlanned.roll;

// What becomes of earlier files.
struct Keeping {
  // What is removed from a full card: nothing; with kDropOldest the oldest files.
  microparquet::RetentionLimits limits = {};
  // A boot continues the last session's newest file. Its samples' numbers and times have to continue as well.
  bool boots_are_wakes = SD_LOGGER_BOOTS_ARE_WAKES;
};
inline constexpr Keeping kKeeping = {};
static_assert(check_limits(kKeeping.limits, kSplitLimits) == microparquet::Status::kOk);
