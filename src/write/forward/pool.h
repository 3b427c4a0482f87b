// The pool: memory for the pages of the open row group, in the forward layout.
//
//   pool    | waiting, record | region of column a | region of column b | ...
//   region  | pages, sealed, one after another | open page ............ |
//
// A region is planned for each row group by the bytes that a row is expected to take in its column. The row
// group ends when one of them is full. Sealed pages of a column lie together, so that a chunk is moved at once.
#pragma once

#include "microparquet/detail/config.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns the bytes of the pool, which begins at pages_of().
inline std::uint32_t pool_bytes(const detail::WriterState& state) {
  const detail::ArenaPlan& arena = state.plan->arena;
  return static_cast<std::uint32_t>(arena.bytes - arena.pages);
}

// Returns the head of the pool: for what waits to be written, and the record.
inline std::uint32_t pool_head_of(const detail::WriterState& state) {
  return detail::pool_head_bytes(state.plan->arena.record_bytes, *state.options);
}

// Returns the least pool in which a row group can be begun.
inline std::uint32_t least_pool(const detail::WriterState& state) { return state.plan->arena.least_pool(); }

// Halves of the pool are counted in this many bytes.
inline constexpr std::uint32_t kPoolUnit = detail::kMaxTransferAlign;

// Returns the length of the first half of the pool, in units, if it suffices for a row group, else 0: what a footer
// goes out through while rows keep arriving is the rest. That is more than half where it becomes a card's page, or
// half of one, and rows keep enough.
inline std::uint16_t first_half_of(const detail::WriterState& state) {
  constexpr std::uint32_t kMost = 0xFFFF;
  constexpr std::uint32_t kEnough = 4 << 10;
  const std::uint32_t bytes = pool_bytes(state);
  const std::uint32_t page = bytes < detail::kCardPage + kEnough ? detail::kCardPage / 2 : detail::kCardPage;
  std::uint32_t half = bytes / 2;
  if (half < page && bytes >= page + kEnough) half = bytes - page;
  half /= kPoolUnit;
  if (detail::kDesktop && half > kMost) half = kMost;
  return half * kPoolUnit < least_pool(state) ? 0 : static_cast<std::uint16_t>(half);
}

// Returns the multiple of bytes on which row groups end, less one, so that a card programs few of its pages twice:
// the largest power of two of which a pool of `bytes` bytes is a multiple, but for less than a sector.
inline std::uint32_t place_mask_of(std::uint32_t bytes) {
  constexpr std::uint32_t kMostSectors = 64;  // no card is known to have larger pages
  const std::uint32_t sectors = bytes / detail::kSectorBytes | kMostSectors;
  constexpr std::uint32_t kHalf = detail::kSectorBytes / 2;
  return (sectors ^ (sectors - 1)) * kHalf | (kHalf - 1);
}

// Gives each column a region of the pool's bytes from `begin` to `end`, and opens its first page.
void lay_regions(detail::WriterState& state, std::uint32_t begin, std::uint32_t end);

// Puts the sealed page of `column` after those before it, and opens the next one if the region has space.
Status keep_page(detail::WriterState& state, detail::ColumnWriter& column);

// Learns from the row group what a row takes in each column.
void observe_rows(detail::WriterState& state);

}  // namespace microparquet::write
