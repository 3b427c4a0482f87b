// DELTA_BINARY_PACKED encoder (delta_decoder.cpp has the format), with blocks of 128 values in 4 miniblocks.
//
// Values are put into a stage in the column's state as into a page in PLAIN. As soon as there are 32, they
// are packed into the page as a miniblock. A block's least difference is that of its miniblocks so far: if a
// later one lowers it, the earlier miniblocks are packed again in their place. The widths are then the same
// as if the whole block had been known from the start. A miniblock with a difference of more than 32 bits is
// rare, and stored at full width. Values that do not fit in the page stay staged and begin the next page.
#include "microparquet/encoders.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "base/varint.h"
#include "encoding/delta_packing.h"
#include "encoding/delta_state.h"
#include "encoding/staged_page.h"
#include "microparquet/detail/column_writer.h"

namespace microparquet {
namespace {

using encoding::bits_of;
using encoding::DeltaState;
using encoding::kDeltaHead;
using encoding::kMiniblock;
using encoding::kMiniblocks;
using encoding::kMostBlockHead;
using encoding::kMostLeast;
using encoding::kMostMiniblocks;
using encoding::kWide;
using encoding::StagedPage;
using encoding::StagedState;
using encoding::Steps;

constexpr std::uint32_t kStaged = detail::kDeltaStagedValues;

[[gnu::noinline]] std::byte* stage_of(const PageBody& page) { return encoding::delta_stage(page); }

[[gnu::noinline]] std::byte* put_signed(std::byte* at, std::uint64_t value) {
  return util::put_varint(at, detail::zigzag(value));
}
[[gnu::noinline]] std::uint32_t signed_bytes(std::uint64_t value) {
  std::byte bytes[kMostLeast];
  return static_cast<std::uint32_t>(put_signed(bytes, value) - bytes);
}

// The open page and its stage while they are changed.
struct Open : StagedPage {
  explicit Open(PageBody& page) : StagedPage(page, stage_of(page)) {}

  DeltaState& state() const { return static_cast<DeltaState&>(staging); }
  bool is_wide() const { return shift == 3; }
  // Returns the length of a miniblock at full width.
  std::uint32_t full_bytes() const { return kMiniblock << shift; }
  [[gnu::noinline]] std::uint32_t width_of(std::uint32_t most) const {
    return most != kWide ? bits_of(most) : 8U << shift;
  }
};

static_assert(kMiniblocks == sizeof(std::uint32_t));  // widths of a block are cleared by a word

std::uint32_t width_at(const std::byte* widths, std::uint32_t miniblock) {
  return std::to_integer<std::uint32_t>(widths[miniblock]);
}

// Plan for the next miniblock: its steps, or those of the whole block from now on, and the growth of the
// page.
struct Miniblock : Steps {
  std::uint32_t more;    // growth of the earlier numbers
  std::uint32_t width;   // bits of the miniblock's numbers
  std::uint32_t growth;  // bytes that the block grows before the miniblock, its least difference apart
};

// Lowers the least difference of the open block. Requires: the page has space, and no number of the block
// then has more than 32 bits.
[[gnu::noinline]] void lower_least(Open& open, const Miniblock& next) {
  DeltaState& state = open.state();
  std::byte* const widths = open.at - state.block_bytes;
  std::byte* const head = widths - signed_bytes(state.least);
  const std::uint32_t bytes = state.block_bytes + next.growth;
  // Go from last to first, since the miniblocks only grow.
  const std::byte* from = open.at;
  std::byte* to = widths + bytes;
  for (std::uint32_t i = state.miniblocks_of_block(); i-- != 0;) {
    state.most[i] += next.more;
    const std::uint32_t width = bits_of(state.most[i]);
    const std::uint32_t from_width = width_at(widths, i);
    from -= 4 * from_width;
    to -= 4 * width;
    encoding::repack(to, width, from, from_width, next.more);
    widths[i] = static_cast<std::byte>(width);
  }
  std::byte* const moved = head + signed_bytes(next.least);
  util::move_bytes(moved, widths, bytes);
  put_signed(head, next.least);
  state.block_bytes = static_cast<std::uint16_t>(bytes);
  open.at = moved + bytes;
}

// Returns a sum of numbers of up to 32 bits, or kWide.
std::uint32_t sum_of(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t sum = one + other;
  return sum < one ? kWide : sum;
}

// Plans to lower the least difference of the open block by `more`. Returns false if a number would have more
// than 32 bits.
bool plan_lower(const DeltaState& state, std::uint32_t more, Miniblock& next) {
  for (std::uint32_t i = 0; i < state.miniblocks_of_block(); ++i) {
    const std::uint32_t most = sum_of(state.most[i], more);
    if (most == kWide) return false;
    next.growth += 4 * (bits_of(most) - bits_of(state.most[i]));
  }
  next.more = more;
  return more != 0;
}

// Plans the next miniblock, whose own differences are in `next`. Returns the most bytes by which the page
// grows.
[[gnu::noinline]] std::uint32_t plan_miniblock(const Open& open, Miniblock& next) {
  const DeltaState& state = open.state();
  std::uint32_t head = 0;
  if (state.begins_block()) {
    head = signed_bytes(next.least) + kMiniblocks;
  } else if (plan_lower(state, encoding::narrow(state.least - next.least), next) &&
             next.growth + kMostLeast + 4 * open.width_of(next.range) <= open.full_bytes()) {
    head = kMostLeast;
  } else {
    // Differences below the least one wrap, at full width: that is cheaper than widening everything packed.
    const std::uint32_t above = encoding::narrow(next.least - state.least);
    next = {{state.least, sum_of(above, next.range)}, 0, 0, 0};
  }
  next.width = open.width_of(next.range);
  return head + next.growth + 4 * next.width;
}

// Takes the bounds of values about to be packed; the values before them have been taken. If the values rise
// or fall in small steps without a change of sign, the last one suffices in either order of integers.
void take_bounds(const Open& open, std::uint32_t count, const Steps& steps) {
  constexpr std::uint32_t kLittle = 1 << 25;
  const auto least = static_cast<std::int32_t>(steps.least);
  const bool little = steps.least + kLittle < 2 * kLittle && steps.range < kLittle;
  const std::byte* begin = open.stage;
  const std::byte* const end = begin + (count << open.shift);
  if (little && (least >= 0 || least + static_cast<std::int32_t>(steps.range) <= 0) &&
      std::to_integer<unsigned>(begin[-1] ^ end[-1]) < 0x80)
    begin = end - (std::size_t{1} << open.shift);
  open.update_bounds(begin, end);
}

// Puts the first value of a page into its head.
void take_first(Open& open) {
  const std::byte* const first = open.stage;
  open.update_bounds(first, first + (std::size_t{1} << open.shift));
  const auto value = open.is_wide() ? util::load_aligned<std::int64_t>(first)
                                    : std::int64_t{util::load_aligned<std::int32_t>(first)};
  open.at = put_signed(open.body.values + kDeltaHead, static_cast<std::uint64_t>(value));
  open.drop(1);
}

// Packs up to 32 staged values. Returns false if they must begin the next page.
bool pack_staged(Open& open) {
  DeltaState& state = open.state();
  const std::uint32_t count = open.staged < kMiniblock ? open.staged : kMiniblock;
  Miniblock next;
  next.more = next.growth = 0;
  if (open.is_wide()) {
    encoding::find_steps64(open.stage, count, next);
  } else {
    encoding::find_steps32(open.stage, count, next);
  }
  take_bounds(open, count, next);
  const std::uint32_t growth = plan_miniblock(open, next);
  const bool fits = open.at + growth <= open.limit;
  const auto bytes = static_cast<std::uint32_t>(open.at - open.body.values) + growth;
  // A miniblock that does not pack well is taken as long as the page stays smaller than in PLAIN.
  const bool is_poor = bytes >= (kMiniblock * state.miniblocks + 1 + count) << open.shift;
  const bool is_first = state.miniblocks == 0;
  if (!fits || (is_poor && (is_first || state.keeps)) || state.miniblocks == kMostMiniblocks)
    return is_first && open.become_plain(1);
  const std::uint32_t miniblock = state.miniblocks_of_block();
  if (miniblock == 0) {
    std::byte* const widths = put_signed(open.at, next.least);
    util::store(widths, std::uint32_t{0});
    state.block_bytes = kMiniblocks;
    open.at = widths + kMiniblocks;
  } else if (next.more != 0) {
    lower_least(open, next);
  }
  state.least = next.least;
  const std::uint32_t width = next.width;
  *(open.at - state.block_bytes + miniblock) = static_cast<std::byte>(width);
  if (width > 32) {
    encoding::store_steps(open.at, open.stage, count, state.least);
  } else if (width != 0) {
    encoding::pack_steps(open.at, width, open.stage, 1U << open.shift, count,
                         static_cast<std::uint32_t>(state.least));
  }
  if (miniblock < kMiniblocks - 1) state.most[miniblock] = next.range;
  ++state.miniblocks;
  state.block_bytes = static_cast<std::uint16_t>(state.block_bytes + 4 * width);
  open.at += 4 * width;
  open.drop(count);
  return true;
}

// Packs staged values: whole miniblocks, or `all`. Returns false if some stay for the next page.
bool pack(Open& open, bool all) {
  const std::uint32_t least = all ? 1 : kMiniblock;
  while (open.staged >= least) {
    if (open.at == open.body.values) {
      take_first(open);
      // A single value is smaller in PLAIN.
      if (all && open.staged == 0) return open.become_plain(1);
    } else if (open.is_plain() || !pack_staged(open)) {
      return false;
    }
  }
  return true;
}

// Returns how many more values are guaranteed to fit in this page.
std::uint32_t sure_to_fit(const Open& open, std::uint32_t level_bytes) {
  const DeltaState& state = open.state();
  const std::uint32_t free = open.free_bytes();
  std::uint32_t most = kMiniblock > open.staged ? kMiniblock - open.staged : 0;
  std::uint32_t fitting = 0;
  if (state.miniblocks == 0) {  // rows fit as in PLAIN
    constexpr std::uint32_t kAlignment = 7;
    const std::uint32_t space = static_cast<std::uint32_t>(open.limit - open.body.values);
    const std::uint32_t taken = ((open.staged + 1) << open.shift) + kAlignment;
    if (space > taken) fitting = (space - taken) / ((1U << open.shift) + level_bytes);
    if (fitting == 0 && open.staged == 0 && open.at == open.body.values) fitting = 1;
  } else {
    const std::uint32_t worst = open.full_bytes() + kMostBlockHead;
    if (state.miniblocks < kMostMiniblocks && free >= worst)
      fitting = level_bytes == 0 ? most : (free - worst) / level_bytes;
  }
  return fitting < most ? fitting : most;
}

// Returns how many values fit in the stage before there is a miniblock to pack; 0: there is one, or they might not fit in
// the page. Batches ask often, where the miniblocks of their columns end at different rows.
std::uint32_t free_stage(const PageBody& page) {
  const auto& staging = *static_cast<const StagedState*>(page.state);
  if (!page.is_required() || staging.is_plain || !staging.keeps) return 0;
  const std::uint32_t shift = page.plan->shape.value_bytes / 4 + 1;
  const std::uint32_t staged = static_cast<std::uint32_t>(page.cursor - stage_of(page)) >> shift;
  return staged < kMiniblock ? kStaged - staged : 0;
}

// Puts aligned values at the cursor, a word at a time. The empty instruction hides the loop from the compiler, which would
// call memmove.
void put_words(PageBody& page, const void* values, std::uint32_t count) {
  const auto* from = static_cast<const std::byte*>(values);
  const std::byte* const end = from + count * page.plan->shape.value_bytes;
  std::byte* to = page.cursor;
  for (; from != end; from += 4, to += 4) {
    util::store_aligned(to, util::load_aligned<std::uint32_t>(from));
    asm("" : "+r"(from));
  }
  page.cursor = to;
}

}  // namespace

void detail::begin_deltas(PageBody& page) {
  encoding::begin_staged_page(page, stage_of(page));
  static_cast<DeltaState*>(page.state)->miniblocks = 0;
}

std::uint32_t detail::deltas_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  if (const std::uint32_t free = free_stage(page); free != 0) return free;
  Open open(page);
  if (level_bytes != 0) open.limit = open.at + free_bytes;
  const bool fits = pack(open, false);
  open.store();
  if (!fits) return 0;
  if (open.is_plain()) return open.free_bytes() / (open.width() + level_bytes);
  return open.staging.keeps ? kStaged - open.staged : sure_to_fit(open, level_bytes);
}

void detail::put_deltas(PageBody& page, const void* values, std::uint32_t count) {
  auto& state = *static_cast<DeltaState*>(page.state);
  if (page.is_required() || state.is_plain) {
    if constexpr (detail::kDesktop) return put_plain_fixed(page, values, count);
    put_words(page, values, count);
    return;
  }
  const std::uint32_t width = page.plan->shape.value_bytes;
  util::move_bytes(stage_of(page) + state.other * width, static_cast<const std::byte*>(values),
                   count * width);
  state.other += count;
}

void detail::finish_deltas(EndingPage& page) {
  Open open(page);
  pack(open, true);
  open.end(page);
  // This includes an optional column whose rows are all null.
  if (open.is_plain() || open.at == page.values) {
    page.set_encoding(EncodingId::kPlain);
    open.update_bounds(page.values, open.at);
  } else {
    std::uint32_t count = page.row_count;  // as value_count(), without a call
    if (!page.is_required()) count -= page.levels->nulls;
    if (count < 0x80) ++page.values;
    std::byte* at = util::put_varint(page.values, kMiniblocks * kMiniblock);
    *at++ = std::byte{kMiniblocks};
    util::put_varint(at, count);
  }
}

}  // namespace microparquet
