// From the sampler to the logger.
#pragma once

#include <cstdint>

#include "microparquet/row_queue.h"
#include "motion.h"

inline constexpr std::uint32_t kRowsPerSecond = 100;
inline constexpr std::uint32_t kLongestStallMs = 1000;  // of the card
inline constexpr std::uint32_t kBusyMs = 500;           // what the others do on the volume, and a checkpoint

using SampleQueue =
    microparquet::RowQueue<Motion, microparquet::row_queue_depth(kRowsPerSecond, kLongestStallMs, kBusyMs)>;
