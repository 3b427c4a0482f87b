// What durability costs, and what a power cut can cost: by schema and options, at compile time.
#pragma once

#include <cstdint>

#include "microparquet/detail/footer_constants.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet {

// The most 512-byte sectors a checkpoint writes when the file has `row_groups` row groups: the open pages of
// all columns, a record, the footer; with Options::block_bytes, each of them to the end of its block.
// Key-values come on top. For a capacitor that has to last so long: see also Writer::checkpoint_cost(), which
// knows how long the entries of the footer really are.
constexpr std::uint32_t checkpoint_sectors(Schema schema, const Options& options, std::uint32_t row_groups) {
  const std::uint32_t extension = detail::footer_extension_bytes(schema.size(), options);
  const std::uint32_t footer = detail::footer_head_bytes(schema) + detail::kCountsBytes +
                               (row_groups + 1) * detail::entry_bytes(schema, options) +
                               detail::write_footer_tail(schema.size(), extension, nullptr) + extension +
                               detail::kFooterRestBytes;
  std::uint32_t pages = 0;
  for (const Field& field : schema) pages += detail::cut_sectors(field, options);
  const std::uint32_t record = detail::record_bytes(schema, options);
  const std::uint32_t footer_blocks = detail::round_up(footer, options.block_bytes);
  return detail::to_sectors(footer_blocks) + pages + 2 * detail::to_sectors(record);
}

// How a program logs.
struct LogRate {
  std::uint32_t rows_per_hour = 0;
  std::uint32_t bytes_per_row = 0;  // values as they are stored, PLAIN: the widths of all columns
  std::uint32_t tick_ms = 0;        // the longest time between two calls of tick()
};

struct LossBound {
  std::uint32_t ms;    // the newest row that is surely durable is no older than this
  std::uint32_t rows;  // and at the most so many came after it
};

// What a power cut at the worst moment can cost with checkpoints made by tick(), while the file has no more
// than `row_groups` row groups: the time from one checkpoint to the next, and that of writing its footer at
// one page's worth for each tick. Provided that calls succeed and take no time themselves.
constexpr LossBound loss_bound(Schema schema, const Options& options, LogRate rate,
                               std::uint32_t row_groups) {
  constexpr std::uint64_t kMsPerHour = 3'600'000;
  const std::uint64_t cost = checkpoint_sectors(schema, options, row_groups);
  // Bytes are counted when their page is stored.
  std::uint64_t bytes = options.checkpoint_share * cost * detail::kSectorBytes;
  for (const Field& field : schema) bytes += detail::page_bytes_of(field, options);
  const std::uint64_t bytes_per_hour = std::uint64_t{rate.rows_per_hour} * rate.bytes_per_row;
  std::uint64_t interval =
      bytes_per_hour == 0 ? options.max_loss_ms : bytes * kMsPerHour / bytes_per_hour + 1;
  if (interval < options.checkpoint_ms) interval = options.checkpoint_ms;
  if (interval > options.max_loss_ms) interval = options.max_loss_ms;
  const std::uint64_t steps = cost * detail::kSectorBytes / detail::window_bytes(options) + 1;
  const std::uint64_t ms = interval + rate.tick_ms + steps * rate.tick_ms;
  return {static_cast<std::uint32_t>(ms),
          static_cast<std::uint32_t>(ms * rate.rows_per_hour / kMsPerHour + 1)};
}

}  // namespace microparquet
