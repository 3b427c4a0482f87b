// Forward logs of `imu8` for the memory that a device has. What is planned for each stands here alone: tests/cards asks what
// it costs a card, tests/bench what it takes on a Cortex-M4F.
#pragma once

#include <cstdint>

#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"

namespace microparquet::bench {

// Memory of a writer, of which its library, its arena and all else are a part, and what fills it.
struct StreamPlan {
  std::uint32_t ram_bytes;        // on a core of 32 bits
  std::uint32_t page_bytes;       // the largest page
  std::uint32_t row_group_bytes;  // the pool
};

// One page takes all values of a column.
inline constexpr std::uint32_t kOnePage = 8 << 10;

inline constexpr StreamPlan kStream6k = {6 << 10, kOnePage, 4480};
inline constexpr StreamPlan kStream8k = {8 << 10, kOnePage, 6528};
// Row groups of three quarters of a card's page.
inline constexpr StreamPlan kStream16k = {16 << 10, kOnePage, (12 << 10) + 96};
// Of a whole one, which any driver programs once. More memory than that would not be used.
inline constexpr StreamPlan kStream32k = {32 << 10, kOnePage, (16 << 10) + 96};
// Where footers come each minute, through more than half of the pool: it has a page for them, and as much for rows.
inline constexpr StreamPlan kStream32kMinute = {32 << 10, kOnePage, 31'000};
inline constexpr StreamPlan kStream16kDelta = {16 << 10, 1 << 10, 13 << 10};
inline constexpr StreamPlan kStream32kDelta = {32 << 10, 2 << 10, 28 << 10};

// The largest page of a card: none with durable bytes is written again.
inline constexpr std::uint16_t kCardPageBytes = 16 << 10;

// Checkpoints come as seldom as the bound of a loss allows: each ends a stream.
constexpr Options stream_options(const StreamPlan& plan, std::uint32_t max_loss_ms) {
  Options options;
  options.layout = &kForward;
  options.page_bytes = plan.page_bytes;
  options.row_group_bytes = plan.row_group_bytes;
  options.checkpoint_ms = max_loss_ms;
  options.max_loss_ms = max_loss_ms;
  options.block_bytes = kCardPageBytes;
  return options;
}

template <const StreamPlan& kPlan, std::uint32_t kMaxLossMs = 600'000>
inline constexpr Options kStreamOptions = stream_options(kPlan, kMaxLossMs);

template <const StreamPlan& kPlan>
using StreamWriter = StaticWriter<kImu8Schema, kStreamOptions<kPlan>>;

}  // namespace microparquet::bench
