// Costs of durability, and of a power cut: from schema and options, at compile time.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/footer_constants.h"
#include "microparquet/detail/format/row_group_bytes.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet {

namespace detail {

inline constexpr std::uint64_t kMsPerHour = 3'600'000;

constexpr std::uint32_t saturate(std::uint64_t value) {
  constexpr std::uint32_t kMax = 0xFFFFFFFF;
  return value < kMax ? static_cast<std::uint32_t>(value) : kMax;
}

// What costs depend on: of a schema, or of the columns in structs and arrays.
struct CostBasis {
  Schema columns;
  std::uint32_t head_bytes;  // of a footer
  ArenaPlan arena;
};
constexpr CostBasis cost_basis(Schema schema, const Options& options) {
  return {schema, format::footer_head_bytes(schema), plan_arena(schema, options)};
}

// Returns the length of a footer with `row_groups` row groups and an open one, without key-values.
constexpr std::uint64_t most_footer_bytes(const CostBasis& basis, const Options& options,
                                          std::uint32_t row_groups) {
  const Schema schema = basis.columns;
  const std::uint32_t extension = footer_extension_bytes(schema.size(), options);
  return basis.head_bytes + format::kCountsBytes +
         (std::uint64_t{row_groups} + 1) * format::most_row_group_bytes(schema, options) +
         format::write_footer_tail(schema.size(), extension, nullptr) + extension + format::kFooterRestBytes;
}

constexpr std::uint64_t most_checkpoint_sectors(const ArenaPlan& arena, const Options& options, Sectors head,
                                                std::uint64_t footer_bytes) {
  const BlockSize block(options.block_bytes);
  const std::uint64_t sectors = (footer_bytes + block.bytes_to_block(footer_bytes)) / kSectorBytes;
  // With tails a head, and a record of the stored pages.
  const std::uint32_t records = head == Sectors(0) ? 2 : 3;
  return sectors + arena.open_page_sectors.count() + head.count() +
         records * Sectors::holding(arena.record_bytes).count();
}

}  // namespace detail

// Returns the most 512-byte sectors that a checkpoint writes if the file has `row_groups` row groups: the
// open pages of all columns, a record, the footer; with Options::block_bytes, each of them to the end of its
// block. Key-values come on top. It is meant for a capacitor that must last that long;
// Writer::checkpoint_sectors() knows how long the entries of the footer really are.
constexpr std::uint32_t max_checkpoint_sectors(const detail::CostBasis& basis, const Options& options,
                                               std::uint32_t row_groups) {
  const std::uint64_t footer_bytes = detail::most_footer_bytes(basis, options, row_groups);
  return detail::saturate(detail::most_checkpoint_sectors(
      basis.arena, options, detail::tail_head_sectors(basis.columns, options), footer_bytes));
}
// Returns the same for a schema. That of structs and arrays is written_columns() of static_nested_writer.h.
constexpr std::uint32_t max_checkpoint_sectors(Schema schema, const Options& options,
                                               std::uint32_t row_groups) {
  return max_checkpoint_sectors(detail::cost_basis(schema, options), options, row_groups);
}

// Returns the most 512-byte sectors that Writer::save() writes when the last footer describes the open row group:
// the open pages of all columns, and a head; with kForwardSaving, when the row group has space in the last segment:
// its memory. It is meant for a capacitor that holds the supply when it fails: it has to last for the call in
// progress, the longest pause of the card, and these sectors. Where that is not so a footer comes first, but tick()
// makes the one of kInPlaceSaving.
constexpr std::uint32_t max_save_sectors(const detail::CostBasis& basis, const Options& options) {
  if (detail::saves_stream(*options.layout)) {
    const auto pool = static_cast<std::uint32_t>(basis.arena.bytes - basis.arena.pages);
    return detail::Sectors::holding(pool).count();
  }
  return basis.arena.open_page_sectors.count() + detail::tail_head_sectors(basis.columns, options).count();
}
// Returns the same for a schema.
constexpr std::uint32_t max_save_sectors(Schema schema, const Options& options) {
  return max_save_sectors(detail::cost_basis(schema, options), options);
}

// Pace of a program's log.
struct LogRate {
  std::uint32_t rows_per_hour = 0;  // rows appended
  // Fewest bytes that a row takes in the file. In PLAIN this is the sum of the columns' widths; with another
  // encoder, a compressor or levels, the size that pages of the program's own data have taken (`mpq info`),
  // rather less than that. 0: unknown, and Options::max_loss_ms limits the loss.
  std::uint32_t bytes_per_row = 0;
  std::uint32_t tick_ms = 0;  // the longest time between two calls of tick(), or from a row to the first
  std::uint32_t key_value_bytes = 0;  // length of all keys and values, plus 16 for each pair
};

// Bound on lost rows. Both numbers are 2^32 - 1 if there is no bound: Options::checkpoint_ms is 0, or the
// layout has no checkpoints by tick().
struct LossBound {
  std::uint32_t ms;    // greatest age of the newest durable row
  std::uint32_t rows;  // most rows that came after that row
};

// Returns the most that a power cut at the worst moment can cost with checkpoints made by tick(), while the
// file has at most `row_groups` row groups: the time between two checkpoints, or the time to write a footer
// if that is longer, and the time to write the next footer. A tick writes the piece of it that tick() names, and eight
// times that after an eighth of Options::max_loss_ms. It assumes that calls succeed and take no time themselves,
// and that no key-value is set while a footer is on its way.
constexpr LossBound loss_bound(const detail::CostBasis& basis, const Options& options, LogRate rate,
                               std::uint32_t row_groups) {
  using detail::kMsPerHour;
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  const bool in_place = options.layout->in_place;
  const bool by_tick =
      in_place ? options.layout->checkpoints != CheckpointKind::kNone : options.max_row_groups_in_memory == 0;
  if (!by_tick || options.checkpoint_ms == 0) return {kNone, kNone};

  const std::uint64_t footer = detail::most_footer_bytes(basis, options, row_groups) + rate.key_value_bytes;
  const detail::ArenaPlan& arena = basis.arena;
  const std::uint64_t cost = detail::most_checkpoint_sectors(
      arena, options, detail::tail_head_sectors(basis.columns, options), footer);
  // Bytes are counted when their page is stored; forward, when their row group is.
  const std::uint64_t bytes = options.checkpoint_ratio * (in_place ? cost * detail::kSectorBytes : footer) +
                              (arena.bytes - arena.pages);
  const std::uint64_t bytes_per_hour = std::uint64_t{rate.rows_per_hour} * rate.bytes_per_row;
  std::uint64_t interval = options.max_loss_ms;
  if (bytes_per_hour != 0 && bytes <= kNone) {  // the writer does not count more
    const std::uint64_t ms = bytes * kMsPerHour / bytes_per_hour + 1;
    if (ms < interval) interval = ms;
  }
  if (interval < options.checkpoint_ms) interval = options.checkpoint_ms;
  if (interval > options.max_loss_ms) interval = options.max_loss_ms;

  std::uint64_t steps = footer / detail::window_bytes(options) + 1;
  if (!in_place) {
    steps = steps / detail::kLeastFooterWindows + 1;
    if (steps > detail::kMostFooterTicks) steps = detail::kMostFooterTicks;
  }
  const std::uint64_t late_ticks = (steps + detail::kLateWindows - 1) / detail::kLateWindows;
  std::uint64_t writing = steps * rate.tick_ms;
  const std::uint64_t late = options.max_loss_ms / detail::kLateShare + late_ticks * rate.tick_ms;
  if (writing > late) writing = late;
  if (interval < writing) interval = writing;
  const std::uint32_t ms = detail::saturate(interval + writing + 2 * std::uint64_t{rate.tick_ms});
  if (ms == kNone) return {kNone, kNone};
  return {ms, detail::saturate(std::uint64_t{ms} * rate.rows_per_hour / kMsPerHour + 1)};
}

// Returns the same for a schema.
constexpr LossBound loss_bound(Schema schema, const Options& options, LogRate rate,
                               std::uint32_t row_groups) {
  return loss_bound(detail::cost_basis(schema, options), options, rate, row_groups);
}

}  // namespace microparquet
