// A log planned from the memory that a device has for it: one stream that only grows, which wears a card least, with
// saves if these are wanted; or, where few rows come between two checkpoints or saves, a file in place with tails.
// port/cards.md says what each plan costs a card, a file and its readers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/card_plan.h"
#include "microparquet/durability.h"
#include "microparquet/options.h"
#include "microparquet/rolling.h"
#include "microparquet/schema.h"
#include "microparquet/static_writer.h"
#include "microparquet/writer.h"

namespace microparquet {

// What a program knows of its log.
struct CardPlan {
  std::uint32_t ram_bytes = 0;          // memory for the writer and its arena, all in all
  LogRate rate = {};                    // its pace; 0.1 Hz are 360 rows an hour
  std::uint32_t max_loss_ms = 600'000;  // the longest time between checkpoints
  // The longest time until rows are safe: a power cut costs no more, and the next resume() makes them readable.
  // 0: as durable ones. The file then has to seek and to read back. With columns that have neither tails
  // (kInPlaceTailed) nor a pool that eight such times fill checkpoints come as often.
  std::uint32_t save_ms = 0;
};

// A log as it is planned.
struct PlannedLog {
  Options options;              // layout, pages, memory for a row group, blocks, checkpoints
  std::size_t ram_bytes;        // memory that the writer takes with these options
  std::size_t least_ram_bytes;  // memory below which there is no plan
  RollLimits roll;              // when a file ends
  std::uint32_t queue_rows;     // rows that a RowQueue should hold: those of the longest call
  // Returns whether the memory suffices.
  constexpr bool fits(const CardPlan& plan) const { return ram_bytes <= plan.ram_bytes; }
};

namespace detail {

// Plans a stream that is saved. A larger pool would make saves longer than a page of a card.
template <typename RamBytes>
constexpr PlannedLog plan_saves(Schema schema, const CardPlan& card, const RamBytes& ram_of, PlannedLog log) {
  Options options = log.options;
  options.layout = &kForwardSaving;
  options.block_bytes = kSectorBytes;
  options.max_loss_ms = card.max_loss_ms;
  options.checkpoint_ms = card.max_loss_ms;
  options.save_ms = card.save_ms;
  log.options = fill_memory(options, options.page_bytes, card.ram_bytes, ram_of);
  constexpr std::uint32_t kMostPool = kCardPage + kPoolRest;
  if (log.options.row_group_bytes > kMostPool) log.options.row_group_bytes = kMostPool;
  log.ram_bytes = ram_of(log.options);
  log.least_ram_bytes += kSaveBytes + kForwardSavingStateBytes - kForwardStateBytes;
  log.roll.ms = planned_age(schema, log.options, bytes_between_checkpoints(card.rate, card.max_loss_ms));
  return log;
}

// Plans a log; `ram_of` returns the memory that a writer takes with given options.
template <typename RamBytes>
constexpr PlannedLog plan_log(Schema schema, const CardPlan& card, const RamBytes& ram_of) {
  constexpr std::uint32_t kOnePage = 32 << 10;  // all values of a column
  constexpr std::uint32_t kMostPage = 4 << 10;
  PlannedLog log{};
  Options options;
  options.layout = &kForward;
  options.max_loss_ms = least_loss(card.max_loss_ms, card.save_ms);
  options.checkpoint_ms = options.max_loss_ms;  // each ends a stream
  const std::uint64_t bytes = bytes_between_checkpoints(card.rate, options.max_loss_ms);
  options.block_bytes = planned_block(bytes);
  const std::uint32_t variable = variable_columns(schema);
  std::uint32_t page = variable == 0 ? kOnePage : kMostPage;
  const std::uint32_t least_page = variable == 0 ? kOnePage : least_planned_page(schema);
  for (;; page /= 2) {
    log.options = fill_memory(options, page, card.ram_bytes, ram_of);
    // Pages of at most half of a column's share leave little empty at the end of a row group.
    const std::uint32_t share = variable == 0 ? 0 : log.options.row_group_bytes / (2 * variable);
    if (page <= least_page || (variable != 0 && page <= share)) break;
  }
  Options least = log.options;
  least.page_bytes = least_page;
  least.row_group_bytes = 8;
  log.least_ram_bytes = ram_of(least);
  log.ram_bytes = ram_of(log.options);
  log.roll.ms = planned_age(schema, log.options, bytes);
  constexpr std::uint32_t kLongestCallMs = 500;  // some cards pause as long, now and then
  const std::uint64_t rows = std::uint64_t{card.rate.rows_per_hour} * kLongestCallMs / kMsPerHour;
  log.queue_rows = static_cast<std::uint32_t>(rows) + 2;
  if (card.save_ms == 0 && !fills_slowly(bytes, log.options.row_group_bytes)) return log;
  if (card.save_ms != 0) {
    const PlannedLog saved = plan_saves(schema, card, ram_of, log);
    if (suits_saves(bytes, saved.options.row_group_bytes)) return saved;
  }
  const Options tailed = plan_tails(card.max_loss_ms, card.save_ms, card.ram_bytes, ram_of);
  const std::size_t ram_bytes = ram_of(tailed);
  if (!keeps_pages(schema, tailed) || ram_bytes > card.ram_bytes) return log;
  log.options = tailed;
  log.ram_bytes = ram_bytes;
  log.roll.ms = kMostAge;
  return log;
}

}  // namespace detail

// Plans a log for Writer, whose arena also holds its own plan; constexpr if the schema is. With too little memory
// ram_bytes is more than was given, and open() with an arena of what there is answers kOutOfMemory.
constexpr PlannedLog plan(Schema schema, const CardPlan& card) {
  const auto ram_bytes = [&](const Options& options) {
    return sizeof(Writer) + Writer::required_bytes(schema, options);
  };
  return detail::plan_log(schema, card, ram_bytes);
}

namespace detail {

template <const auto& kSchema, const CardPlan& kCard>
constexpr PlannedLog plan_static_log() {
  const auto ram_bytes = [](const Options& options) {
    return sizeof(Writer) + plan_arena(Schema(kSchema.fields), options).bytes;
  };
  return plan_log(Schema(kSchema.fields), kCard, ram_bytes);
}

// The compiler names both numbers where the memory does not suffice.
template <std::size_t kLeastRamBytes, std::size_t kGivenBytes>
struct CardPlanFits {
  static_assert(
      kLeastRamBytes <= kGivenBytes,
      "the plan has too few bytes: CardPlan::ram_bytes is the second number, the least is the first");
  static constexpr bool kFits = true;
};

}  // namespace detail

// Plan of a log for a StaticWriter, which needs less than Writer. Schema and card are constants of the program; its
// `roll` is for a RollingWriter over a PlannedWriter.
template <const auto& kSchema, const CardPlan& kCard>
inline constexpr PlannedLog kPlannedLog = detail::plan_static_log<kSchema, kCard>();

// Options of that plan. The program is not compiled if the memory does not suffice.
template <const auto& kSchema, const CardPlan& kCard>
inline constexpr Options kPlannedOptions =
    detail::CardPlanFits<kPlannedLog<kSchema, kCard>.least_ram_bytes, kCard.ram_bytes>::kFits
        ? kPlannedLog<kSchema, kCard>.options
        : Options{};

// StaticWriter with these options.
template <const auto& kSchema, const CardPlan& kCard>
using PlannedWriter = StaticWriter<kSchema, kPlannedOptions<kSchema, kCard>>;

}  // namespace microparquet
