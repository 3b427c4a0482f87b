// DELTA_BINARY_PACKED (delta_decoder.cpp has the format), blocks of 128 values in 4 miniblocks.
//
// Values are staged in the column's state, where they are put as into a page in PLAIN. When there are 32 of
// them, they are packed into the page as a miniblock. The least difference of a block is that of the
// miniblocks so far: where a later one has a lower one, the earlier ones are packed again in their place. So
// the widths are those that they would have if the whole block had been there from the start. What does not
// fit in the page stays staged and begins the next page.
#include "microparquet/delta_encoder.h"

#include <type_traits>

#include "base/bytes.h"
#include "base/endian.h"
#include "microparquet/detail/column_writer.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;

constexpr std::uint32_t kMiniblock = 32;  // values
constexpr std::uint32_t kMiniblocks = 4;  // of a block
constexpr std::uint32_t kStaged = detail::kDeltaStagedValues;
constexpr std::uint32_t kMostBlocks = 63;  // of a page: so the number of values takes two bytes
constexpr std::uint8_t kPlainPage = 0xFF;  // instead of a number of blocks
constexpr std::uint32_t kHead = 5;         // bytes of a page's head before its first value
constexpr std::uint32_t kMostLeast = 10;   // bytes of a block's least difference
constexpr std::uint32_t kMostBlockHead = kMostLeast + kMiniblocks;

// All zeros when a row group begins.
struct DeltaState {
  std::uint64_t last;   // value before those that are staged
  std::uint64_t least;  // difference of the open block
  // The count that the page's cursor does not tell: bytes in the page of a required column, whose cursor is in
  // the stage; of an optional column, and of a page in PLAIN, values in the stage.
  std::uint32_t other;
  std::uint32_t most[kMiniblocks - 1];  // difference of a miniblock, above the least one; or 2^32 - 1
  std::uint16_t block_bytes : 15;       // of the open block, from its widths on
  std::uint16_t keeps : 1;              // values that do not fit are sure to find another page
  std::uint8_t miniblocks;              // of the open block; between two pages, values in the stage
  std::uint8_t blocks;                  // begun in this page
};
// The stage follows, where a value is aligned.
constexpr std::uint32_t stage_offset(std::uint32_t width) { return width == 8 ? 40 : 36; }

std::uint32_t varint_bytes(std::uint64_t value) {
  std::uint32_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}
std::byte* put_varint(std::byte* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::byte>((value & 0x7F) | 0x80);
  *at++ = static_cast<std::byte>(value);
  return at;
}
std::uint64_t zigzag(std::uint64_t value) { return value << 1 ^ (0 - (value >> 63)); }

std::uint32_t bits_of(std::uint64_t most) {
  const auto high = static_cast<std::uint32_t>(most >> 32);
  const auto low = static_cast<std::uint32_t>(most);
  if (high != 0) return 64 - static_cast<std::uint32_t>(__builtin_clz(high));
  return low != 0 ? 32 - static_cast<std::uint32_t>(__builtin_clz(low)) : 0;
}

// The page and the stage, while they are worked on.
struct Open {
  ColumnWriter& column;
  DeltaState& state;
  std::byte* stage;
  std::byte* packed;  // one after the last byte in the page
  std::byte* limit;   // of the page
  std::uint32_t staged;
  std::uint32_t shift;  // of a value's width

  explicit Open(PageBody& page)
      : column(static_cast<ColumnWriter&>(page)),
        state(*static_cast<DeltaState*>(page.state)),
        stage(reinterpret_cast<std::byte*>(&state) + stage_offset(column.plan->shape.value_bytes)),
        packed(page.cursor),
        limit(page.end),
        staged(state.other),
        shift(column.plan->shape.value_bytes == 8 ? 3 : 2) {
    if (!cursor_is_in_stage()) return;
    packed = page.values + state.other;
    staged = static_cast<std::uint32_t>(page.cursor - stage) >> shift;
  }
  void store() const {
    if (cursor_is_in_stage()) {
      column.cursor = stage + (staged << shift);
      state.other = static_cast<std::uint32_t>(packed - column.values);
    } else {
      column.cursor = packed;
      state.other = staged;
    }
  }

  bool is_plain() const { return state.blocks == kPlainPage; }
  bool cursor_is_in_stage() const { return column.levels == nullptr && !is_plain(); }
  bool is_wide() const { return shift == 3; }
  std::uint32_t free_bytes() const { return static_cast<std::uint32_t>(limit - packed); }
  // Of a miniblock at full width.
  std::uint32_t full_bytes() const { return kMiniblock << shift; }

  std::uint64_t value_at(std::uint32_t i) const {
    if (is_wide()) return util::load_aligned<std::uint64_t>(stage + 8 * i);
    return static_cast<std::uint64_t>(
        std::int64_t{util::load_aligned<std::int32_t>(stage + std::size_t{4} * i)});
  }
  void update_bounds(const std::byte* values, const std::byte* end) const {
    column.plan->bounds->update(column.bounds_state, values, end, column.plan->shape);
  }
  // Takes the first `count` values off the stage.
  void drop(std::uint32_t count) {
    staged -= count;
    // By words: the empty instruction keeps the compiler from seeing a memmove in the loop and calling it.
    const std::byte* from = stage + (count << shift);
    for (std::byte *to = stage, *const end = stage + (staged << shift); to != end; to += 4, from += 4) {
      util::store_aligned(to, util::load_aligned<std::uint32_t>(from));
      asm("" : "+r"(from));
    }
  }
};

struct Steps {
  std::uint64_t least;  // as signed numbers
  std::uint64_t range;
};

// The differences of values, by the width that they have: they wrap.
template <typename T>
Steps find_steps(const std::byte* values, std::uint32_t count, std::uint64_t before) {
  using Bits = std::make_unsigned_t<T>;
  Bits last = static_cast<Bits>(before);
  Bits least = util::load_aligned<Bits>(values) - last;
  Bits range = 0;
  for (const std::byte* const end = values + count * sizeof(T); values != end; values += sizeof(T)) {
    const Bits value = util::load_aligned<Bits>(values);
    const Bits step = value - last;
    last = value;
    if (static_cast<Bits>(step - least) <= range) continue;
    if (static_cast<T>(step) < static_cast<T>(least)) {
      range += least - step;
      least = step;
    } else {
      range = step - least;
    }
  }
  return {static_cast<std::uint64_t>(std::int64_t{static_cast<T>(least)}), range};
}

// Packs the differences of `count` words, `stride` bytes from each other, less the least one; zeros for those
// that a miniblock has more. Requires: 0 < width <= 32.
[[gnu::noinline]] void pack_steps(std::byte* to, std::uint32_t width, const std::byte* from,
                                  std::uint32_t stride, std::uint32_t count, std::uint32_t last,
                                  std::uint32_t least) {
  std::uint32_t word = 0;
  std::uint32_t filled = 0;
  const std::byte* const end = from + std::size_t{count} * stride;
  const std::byte* const all = to + 4 * width;
  while (to != all) {
    std::uint32_t number = 0;
    if (from != end) {
      const auto value = util::load_aligned<std::uint32_t>(from);
      from += stride;
      number = value - last - least;
      last = value;
    }
    word |= number << filled;
    filled += width;
    if (filled < 32) continue;
    util::store(to, word);
    to += 4;
    filled -= 32;
    word = filled != 0 ? number >> (width - filled) : 0;
  }
}

// The same for differences of more than 32 bits, which are rare.
[[gnu::noinline]] void pack_wide_steps(std::byte* to, std::uint32_t width, const Open& open,
                                       std::uint32_t count) {
  util::clear_bytes(to, 4 * width);
  std::uint64_t last = open.state.last;
  std::uint32_t bit = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t value = open.value_at(i);
    std::uint64_t left = value - last - open.state.least;
    last = value;
    for (const std::uint32_t end = bit + width; bit < end;) {
      const std::uint32_t inside = bit % 8;
      const std::uint32_t bits = end - bit < 8 - inside ? end - bit : 8 - inside;
      to[bit / 8] |= static_cast<std::byte>(left << inside & 0xFF);
      left >>= bits;
      bit += bits;
    }
  }
}

// Adds `more` to the numbers of a packed miniblock, which may become wider: `from` and `to` may overlap. The
// numbers are added up in between, since what is packed are differences.
[[gnu::noinline]] void repack(std::byte* to, std::uint32_t to_width, const std::byte* from,
                              std::uint32_t from_width, std::uint32_t more) {
  std::uint32_t sums[kMiniblock];
  std::uint32_t sum = 0;
  std::uint64_t bits = 0;
  std::uint32_t left = 0;
  const std::uint32_t mask = from_width < 32 ? (1U << from_width) - 1 : ~0U;
  for (std::uint32_t& each : sums) {
    if (left < from_width) {
      bits |= std::uint64_t{util::load<std::uint32_t>(from)} << left;
      from += 4;
      left += 32;
    }
    sum += (static_cast<std::uint32_t>(bits) & mask) + more;
    each = sum;
    bits >>= from_width;
    left -= from_width;
  }
  pack_steps(to, to_width, reinterpret_cast<const std::byte*>(sums), sizeof *sums, kMiniblock, 0, 0);
}

std::uint32_t least_bytes(std::uint64_t least) { return varint_bytes(zigzag(least)); }

std::uint32_t width_at(const std::byte* widths, std::uint32_t miniblock) {
  return std::to_integer<std::uint32_t>(widths[miniblock]);
}

// Lowers the least difference of the open block by `more`. Requires: there is space, and no number of it has
// more than 32 bits then.
[[gnu::noinline]] void lower_least(Open& open, std::uint64_t least, std::uint32_t more) {
  DeltaState& state = open.state;
  std::byte* const widths = open.packed - state.block_bytes;
  std::byte* const head = widths - least_bytes(state.least);
  std::uint32_t bytes = kMiniblocks;
  for (std::uint32_t i = 0; i < state.miniblocks; ++i) {
    state.most[i] += more;
    bytes += 4 * bits_of(state.most[i]);
  }
  // From the last one to the first one, since they do not become smaller.
  const std::byte* from = open.packed;
  std::byte* to = widths + bytes;
  for (std::uint32_t i = state.miniblocks; i-- != 0;) {
    const std::uint32_t width = bits_of(state.most[i]);
    from -= 4 * width_at(widths, i);
    to -= 4 * width;
    repack(to, width, from, width_at(widths, i), more);
    widths[i] = static_cast<std::byte>(width);
  }
  std::byte* const moved = head + least_bytes(least);
  util::move_bytes(moved, widths, bytes);
  put_varint(head, zigzag(least));
  state.least = least;
  state.block_bytes = static_cast<std::uint16_t>(bytes) & 0x7FFF;
  open.packed = moved + bytes;
}

// How the next miniblock goes into the page.
struct Miniblock {
  std::uint64_t least;  // difference of the block from now on
  std::uint64_t most;   // number
  std::uint32_t more;   // by how much the earlier numbers grow
  std::uint32_t bytes;  // by which the page grows, at most
};

bool is_below(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
}

Miniblock plan_miniblock(const Open& open, Steps steps) {
  const DeltaState& state = open.state;
  Miniblock next{state.least, steps.range, 0, 4 * bits_of(steps.range)};
  if (state.miniblocks == kMiniblocks) {
    next.least = steps.least;
    next.bytes += least_bytes(steps.least) + kMiniblocks;
    return next;
  }
  const std::uint64_t above = steps.least - state.least;
  if (!is_below(steps.least, state.least)) {
    next.most += above;
    next.bytes = 4 * bits_of(next.most);
    return next;
  }
  next.more = static_cast<std::uint32_t>(0 - above);
  next.bytes += kMostLeast;
  bool fits = 0 - above == next.more;
  for (std::uint32_t i = 0; i < state.miniblocks; ++i) {
    const std::uint32_t most = state.most[i] + next.more;
    fits = fits && most >= next.more;
    next.bytes += 4 * (bits_of(most) - bits_of(state.most[i]));
  }
  if (fits && next.bytes <= open.full_bytes()) {
    next.least = steps.least;
    return next;
  }
  // Differences below the least one wrap, at full width: cheaper than to widen all that is packed.
  return {state.least, ~std::uint64_t{0} >> (open.is_wide() ? 0 : 32), 0, open.full_bytes()};
}

// Bounds of values about to be packed. The ones before them have been taken: of values that rise, or fall, by
// little and change no sign, by either order of integers, the last one is enough.
void take_bounds(const Open& open, std::uint32_t count, Steps steps) {
  constexpr std::int64_t kLittle = 1 << 25;
  const auto least = static_cast<std::int64_t>(steps.least);
  const auto most = static_cast<std::int64_t>(steps.least + steps.range);
  const std::byte* begin = open.stage;
  const std::byte* const end = begin + (count << open.shift);
  const bool rises = least >= 0 && most < kLittle;
  const bool falls = most <= 0 && least > -kLittle;
  const std::uint64_t last = open.value_at(count - 1);
  if ((rises || falls) && (last ^ open.state.last) >> 63 == 0) begin = end - (std::size_t{1} << open.shift);
  open.update_bounds(begin, end);
}

// The first value of a page stands in its head.
void take_first(Open& open) {
  const std::uint64_t first = open.value_at(0);
  open.update_bounds(open.stage, open.stage + (std::size_t{1} << open.shift));
  open.packed = put_varint(open.column.values + kHead, zigzag(first));
  open.state.last = first;
  open.drop(1);
}

// Makes a page in which nothing is packed PLAIN, with as many of the staged values as it takes. Returns
// whether it takes all.
bool become_plain(Open& open) {
  ColumnWriter& column = open.column;
  if (column.levels == nullptr) {
    const auto head = static_cast<std::uint32_t>(column.values - column.page);
    column.values = column.page + detail::round_up(head, 8);
  }
  std::uint32_t count = (static_cast<std::uint32_t>(open.limit - column.values) >> open.shift) - 1;
  if (count > open.staged) count = open.staged;
  util::move_bytes(column.values, reinterpret_cast<const std::byte*>(&open.state.last),
                   std::size_t{1} << open.shift);
  std::byte* const rest = column.values + (std::size_t{1} << open.shift);
  util::move_bytes(rest, open.stage, count << open.shift);
  open.packed = rest + (count << open.shift);
  open.drop(count);
  open.state.blocks = kPlainPage;
  return open.staged == 0;
}

// Packs up to 32 staged values. False: they are to begin the next page.
bool pack_staged(Open& open) {
  DeltaState& state = open.state;
  const std::uint32_t count = open.staged < kMiniblock ? open.staged : kMiniblock;
  const Steps steps = open.is_wide() ? find_steps<std::int64_t>(open.stage, count, state.last)
                                     : find_steps<std::int32_t>(open.stage, count, state.last);
  const Miniblock next = plan_miniblock(open, steps);
  const bool fits = open.packed + next.bytes <= open.limit;
  if (state.blocks == 0) {
    const auto bytes = static_cast<std::uint32_t>(open.packed - open.column.values) + next.bytes;
    if (!fits || bytes >= (count + 1) << open.shift) return become_plain(open);
  }
  // In a page of its own what does not pack is PLAIN.
  const bool begins_block = state.miniblocks == kMiniblocks;
  const bool is_poor = next.bytes > open.full_bytes() && state.blocks != 0 && state.keeps != 0;
  if (!fits || is_poor || (begins_block && state.blocks == kMostBlocks)) return false;
  take_bounds(open, count, steps);
  if (begins_block) {
    state.least = next.least;
    state.miniblocks = 0;
    ++state.blocks;
    std::byte* const widths = put_varint(open.packed, zigzag(next.least));
    util::clear_bytes(widths, kMiniblocks);
    state.block_bytes = kMiniblocks;
    open.packed = widths + kMiniblocks;
  } else if (next.least != state.least) {
    lower_least(open, next.least, next.more);
  }
  const std::uint32_t width = bits_of(next.most);
  open.packed[state.miniblocks - std::ptrdiff_t{state.block_bytes}] = static_cast<std::byte>(width);
  if (width > 32) {
    pack_wide_steps(open.packed, width, open, count);
  } else if (width != 0) {
    pack_steps(open.packed, width, open.stage, 1U << open.shift, count,
               static_cast<std::uint32_t>(state.last), static_cast<std::uint32_t>(state.least));
  }
  if (state.miniblocks < kMiniblocks - 1)
    state.most[state.miniblocks] = next.most >> 32 == 0 ? static_cast<std::uint32_t>(next.most) : ~0U;
  ++state.miniblocks;
  state.block_bytes = (state.block_bytes + 4 * width) & 0x7FFF;
  open.packed += 4 * width;
  state.last = open.value_at(count - 1);
  open.drop(count);
  return true;
}

// Packs what is staged, whole miniblocks of it or `all`. False: some stays for the next page.
bool pack(Open& open, bool all) {
  const std::uint32_t least = all ? 1 : kMiniblock;
  while (open.staged >= least) {
    if (open.packed == open.column.values) {
      take_first(open);
      // One value alone is smaller in PLAIN.
      if (all && open.staged == 0) return become_plain(open);
    } else if (open.is_plain() || !pack_staged(open)) {
      return false;
    }
  }
  return true;
}

// Pages that values of a full stage may need, in PLAIN, after the page that they did not fit in.
std::uint32_t pages_for_staged(const ColumnWriter& column, std::uint32_t shift) {
  constexpr std::uint32_t kAlignment = 7;
  const std::uint32_t in_page = (column.plan->page_bytes - column.plan->header_bytes - kAlignment) >> shift;
  return in_page >= kStaged ? 1 : (kStaged + in_page - 1) / in_page;
}

// Whether values that do not fit are sure to find another page.
bool may_keep(const ColumnWriter& column, std::uint32_t shift) {
  const std::uint32_t pages = 1 + pages_for_staged(column, shift);
  return column.levels == nullptr &&
         column.extent_bytes >= column.chunk_bytes + pages * column.plan->page_bytes;
}

// How many more values are sure to fit in this page.
std::uint32_t sure_to_fit(const Open& open, std::uint32_t level_bytes) {
  const DeltaState& state = open.state;
  const std::uint32_t free = open.free_bytes();
  std::uint32_t most = kMiniblock > open.staged ? kMiniblock - open.staged : 0;
  std::uint32_t fitting = 0;
  if (state.blocks == 0) {  // as they would be in PLAIN
    constexpr std::uint32_t kAlignment = 7;
    const std::uint32_t space = static_cast<std::uint32_t>(open.limit - open.column.values);
    const std::uint32_t taken = ((open.staged + 1) << open.shift) + kAlignment;
    if (space > taken) fitting = (space - taken) / ((1U << open.shift) + level_bytes);
    if (fitting == 0 && open.staged == 0 && open.packed == open.column.values) fitting = 1;
  } else {
    const std::uint32_t worst = open.full_bytes() + kMostBlockHead;
    const bool has_block = state.blocks != kMostBlocks || state.miniblocks != kMiniblocks;
    if (has_block && free >= worst) fitting = level_bytes == 0 ? most : (free - worst) / level_bytes;
  }
  return fitting < most ? fitting : most;
}

}  // namespace

void detail::begin_deltas(PageBody& page) {
  auto& state = *static_cast<DeltaState*>(page.state);
  const std::uint32_t kept = state.miniblocks;
  state.miniblocks = kMiniblocks;
  state.blocks = 0;
  state.other = 0;
  Open open(page);
  open.packed = page.values;
  open.staged = kept;
  open.store();
  state.keeps = may_keep(open.column, open.shift) ? 1 : 0;
}

std::uint32_t detail::deltas_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  Open open(page);
  if (level_bytes != 0) open.limit = open.packed + free_bytes;
  const bool keeps = open.state.keeps != 0;
  const bool fits = pack(open, false);
  open.store();
  if (!fits) return 0;
  if (open.is_plain()) return open.free_bytes() / ((1U << open.shift) + level_bytes);
  return keeps ? kStaged - open.staged : sure_to_fit(open, level_bytes);
}

void detail::put_deltas(PageBody& page, const void* values, std::uint32_t count) {
  Open open(page);
  const std::size_t bytes = std::size_t{count} << open.shift;
  const bool in_stage = open.column.levels != nullptr && !open.is_plain();
  std::byte* const to = in_stage ? open.stage + (open.staged << open.shift) : page.cursor;
  util::move_bytes(to, static_cast<const std::byte*>(values), bytes);
  if (in_stage) {
    open.state.other += count;
  } else {
    page.cursor += bytes;
  }
}

void detail::finish_deltas(EndingPage& page) {
  Open open(page);
  pack(open, true);
  page.row_count -= open.staged;
  // Of an optional column, all of whose rows are null, too.
  if (open.is_plain() || open.packed == page.values) {
    page.set_encoding(EncodingId::kPlain);
    open.update_bounds(page.values, open.packed);
  } else {
    std::uint32_t count = page.row_count;
    if (open.column.levels != nullptr) count -= open.column.levels->nulls;
    if (count < 0x80) ++page.values;
    std::byte* at = put_varint(page.values, kMiniblocks * kMiniblock);
    *at++ = std::byte{kMiniblocks};
    put_varint(at, count);
  }
  page.cursor = open.packed;
  open.state.miniblocks = static_cast<std::uint8_t>(open.staged);
}

}  // namespace microparquet
