// Planning a log from the memory that there is. Each number has its reason; tests/cards has what comes of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/config.h"
#include "microparquet/detail/format/row_group_bytes.h"
#include "microparquet/detail/page_plan.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/durability.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

// Returns the number of columns whose pages hold no fixed number of rows.
constexpr std::uint32_t variable_columns(Schema schema) {
  std::uint32_t count = 0;
  for (const Field& field : schema) count += fixed_width(field) == 0 ? 1U : 0U;
  return count;
}

// Returns the smallest page that is planned: texts are to fit in it.
constexpr std::uint32_t least_planned_page(Schema schema) {
  constexpr std::uint32_t kLeastPage = 256;
  for (const Field& field : schema) {
    if (field.type == Type::kByteArray) return kSectorBytes;
  }
  return kLeastPage;
}

// Returns the integral square root.
constexpr std::uint32_t root(std::uint64_t square) {
  std::uint64_t low = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit /= 2) {
    if ((low + bit) * (low + bit) <= square) low += bit;
  }
  return static_cast<std::uint32_t>(low);
}

// Returns the most of `bytes`, about, with which row groups end on a multiple of a card's page: a power of two from
// 16 KiB on, below that a multiple of 4 KiB. Less than that is taken as it is.
constexpr std::uint32_t whole_places(std::uint32_t bytes) {
  constexpr std::uint32_t kSmall = 4 << 10;
  if (bytes < kSmall) return bytes;
  if (bytes < kCardPage) return bytes / kSmall * kSmall;
  std::uint32_t power = kCardPage;
  while (power <= bytes / 2) power *= 2;
  return power;
}

// Returns the bytes that come within the longest time between checkpoints; 0: unknown.
constexpr std::uint64_t bytes_between_checkpoints(const LogRate& rate, std::uint32_t max_loss_ms) {
  return std::uint64_t{rate.rows_per_hour} * rate.bytes_per_row * max_loss_ms / kMsPerHour;
}

// Greatest age of a file.
inline constexpr std::uint32_t kMostAge = 24 * static_cast<std::uint32_t>(kMsPerHour);

// Returns the longest time until rows are durable or, with `save_ms`, safe.
constexpr std::uint32_t least_loss(std::uint32_t max_loss_ms, std::uint32_t save_ms) {
  return save_ms != 0 && save_ms < max_loss_ms ? save_ms : max_loss_ms;
}

// Returns whether several checkpoints come before `pool` bytes are full: a stream would end a row group at each.
// `bytes` come between two of them; 0: unknown.
constexpr bool fills_slowly(std::uint64_t bytes, std::uint32_t pool) {
  constexpr std::uint64_t kCheckpoints = 4;
  return bytes != 0 && kCheckpoints * bytes < pool;
}

// Returns whether a stream should be saved, though each save writes what is filled of its `pool` bytes: while at most eight
// come before these are full, that costs a card less than pages in place and their tails. Row groups of a small pool that are
// saved make a file several times as long. `bytes` come between two saves; 0: unknown.
constexpr bool suits_saves(std::uint64_t bytes, std::uint32_t pool) {
  constexpr std::uint64_t kMostSaves = 8;
  constexpr std::uint32_t kSmall = 8 << 10;
  return (pool < kSmall ? bytes : kMostSaves * bytes) >= pool;
}

// Returns options in place with tails, and the largest pages that fit in `ram_bytes`; less than 512 bytes do not suit.
template <typename RamBytes>
constexpr Options plan_tails(std::uint32_t max_loss_ms, std::uint32_t save_ms, std::size_t ram_bytes,
                             const RamBytes& ram_of) {
  constexpr std::uint32_t kMostPage = 4 << 10;
  Options options;
  options.layout = save_ms != 0 ? &kInPlaceSaving : &kInPlaceTailed;
  options.max_loss_ms = max_loss_ms;
  options.checkpoint_ms = max_loss_ms;
  options.save_ms = save_ms;
  options.page_bytes = kMostPage;
  while (options.page_bytes > kSectorBytes && ram_of(options) > ram_bytes) options.page_bytes /= 2;
  return options;
}

// Returns the block: a card's page where the zeros before a footer, half a block, are a small part of what comes
// between two of them.
constexpr std::uint16_t planned_block(std::uint64_t bytes) {
  constexpr std::uint32_t kLeastShare = 64;
  std::uint32_t block = kCardPage;
  while (block > kSectorBytes && block * std::uint64_t{kLeastShare} > bytes) block /= 2;
  return static_cast<std::uint16_t>(block);
}

// Returns the age at which a file ends. Each footer repeats the entries of all row groups, and a new file costs the
// card a few pages: with as many checkpoints in a file as make both cost the same, they cost least.
constexpr std::uint32_t planned_age(Schema schema, const Options& options, std::uint64_t bytes) {
  constexpr std::uint32_t kNewFile = 64 << 10;
  constexpr std::uint32_t kMostRowGroups = 10'000;
  const std::uint64_t row_groups = bytes / (options.row_group_bytes + 1) + 1;
  const std::uint64_t entries = row_groups * format::most_row_group_bytes(schema, options);
  std::uint64_t checkpoints = root(2 * std::uint64_t{kNewFile} / entries);
  if (checkpoints * row_groups > kMostRowGroups) checkpoints = kMostRowGroups / row_groups;
  if (checkpoints == 0) checkpoints = 1;
  const std::uint64_t ms = checkpoints * options.max_loss_ms;
  return static_cast<std::uint32_t>(ms < kMostAge ? ms : kMostAge);
}

// Bytes of a pool beside a whole number of places: part of a row, and what headers take less than their space.
inline constexpr std::uint32_t kPoolRest = 96;

// Returns the options with pages of `page_bytes` bytes for columns of variable pages, and the pool that leaves
// `ram_bytes` in all, if they suffice.
template <typename RamBytes>
constexpr Options fill_memory(Options options, std::uint32_t page_bytes, std::size_t ram_bytes,
                              const RamBytes& ram_of) {
  options.page_bytes = page_bytes;
  options.row_group_bytes = 8;  // the least pool
  const std::size_t least = ram_of(options);
  if (least >= ram_bytes) return options;
  options.row_group_bytes = 1 << 20;  // certainly more than the least
  const std::size_t beside = ram_of(options) - options.row_group_bytes;
  const auto most = static_cast<std::uint32_t>((ram_bytes - beside) & ~std::size_t{7});
  const std::uint32_t places = whole_places(most - kPoolRest) + kPoolRest;
  options.row_group_bytes = places < most ? places : most;
  return options;
}

}  // namespace microparquet::detail
