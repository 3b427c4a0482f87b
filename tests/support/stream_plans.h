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
  std::uint32_t page_bytes;       // of a column of four bytes a value
  std::uint32_t row_group_bytes;  // the pool
};

// Pages of eight bytes a value are twice as large, for as many rows: the headers are about as long.
constexpr std::uint32_t wide_page_bytes(std::uint32_t page_bytes) { return 2 * page_bytes - 24; }

// Of the pool, before each page.
inline constexpr std::uint32_t kNodeBytes = 16;

// A pool of that many pages a column.
constexpr std::uint32_t pool_bytes(std::uint32_t page_bytes, std::uint32_t pages) {
  return pages * (wide_page_bytes(page_bytes) + 7 * page_bytes + 8 * kNodeBytes);
}

inline constexpr StreamPlan kStream6k = {6 << 10, 232, pool_bytes(232, 2)};
inline constexpr StreamPlan kStream8k = {8 << 10, 344, pool_bytes(344, 2)};
inline constexpr StreamPlan kStream16k = {16 << 10, 768, pool_bytes(768, 2)};
inline constexpr StreamPlan kStream32k = {32 << 10, 1632, pool_bytes(1632, 2)};
// With integers as differences, of which a page holds more than of floats: pages of one size, whoever needs them.
inline constexpr StreamPlan kStream16kDelta = {16 << 10, 512, 25 * (512 + kNodeBytes)};
inline constexpr StreamPlan kStream32kDelta = {32 << 10, 512, 54 * (512 + kNodeBytes)};

// Checkpoints come as seldom as the bound of a loss allows: each ends a stream.
constexpr Options stream_options(const StreamPlan& plan, std::uint32_t max_loss_ms) {
  Options options;
  options.layout = &kForward;
  options.page_bytes = plan.page_bytes;
  options.row_group_bytes = plan.row_group_bytes;
  options.checkpoint_ms = max_loss_ms;
  options.max_loss_ms = max_loss_ms;
  return options;
}

template <const StreamPlan& kPlan>
inline constexpr auto kStreamSchema =
    schema(timestamp_us_column("ts", &Imu8Row::ts).with_page_bytes(wide_page_bytes(kPlan.page_bytes)),
           column("seq", &Imu8Row::seq), column("ax", &Imu8Row::ax), column("ay", &Imu8Row::ay),
           column("az", &Imu8Row::az), column("temp", &Imu8Row::temp), column("status", &Imu8Row::status),
           column("battery_mv", &Imu8Row::battery_mv));

template <const StreamPlan& kPlan, std::uint32_t kMaxLossMs = 600'000>
inline constexpr Options kStreamOptions = stream_options(kPlan, kMaxLossMs);

template <const StreamPlan& kPlan>
using StreamWriter = StaticWriter<kStreamSchema<kPlan>, kStreamOptions<kPlan>>;

}  // namespace microparquet::bench
