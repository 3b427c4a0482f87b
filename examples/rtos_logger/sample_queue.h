// The queue from the sampler to the logger.
#pragma once

#include <cstdint>

#include "microparquet/row_queue.h"
#include "motion.h"

inline constexpr std::uint32_t kRowsPerSecond = 100;
inline constexpr std::uint32_t kLongestStallMs = 1000;  // stall of the card
inline constexpr std::uint32_t kBusyMs = 500;           // time of the others on the volume, and of a
                                                        // checkpoint

using SampleQueue =
    microparquet::RowQueue<Motion, microparquet::row_queue_depth(kRowsPerSecond, kLongestStallMs, kBusyMs)>;
