// Minimum and maximum of numbers, computed a page at a time.
//
// One pass of integer comparisons finds the bounds, also for floating point, and detects NaN. Only if there
// is one, a second pass counts the NaN and leaves them out.
#include "base/endian.h"
#include "base/vectorized.h"
#include "microparquet/bounds_tracker.h"
#include "microparquet/detail/desktop.h"
#include "values/value_order.h"

namespace microparquet {
namespace {

// State of the tracker: the bounds in the form that memory and PLAIN share.
struct NumericState {
  alignas(8) std::byte min[8];
  alignas(8) std::byte max[8];
  std::uint32_t nan_count;
  bool any;  // bounds exist
};

using detail::Float16Order;
using detail::Float32Order;
using detail::Float64Order;
using detail::IntegerOrder;

template <typename Bits>
struct Range {
  Bits min = 0;
  Bits max;
};

template <typename Order>
void add_range(NumericState& state, Range<typename Order::Bits> range) {
  using Bits = typename Order::Bits;
  if (!state.any || range.min < Order::key(util::load_aligned<Bits>(state.min))) {
    util::store_aligned(state.min, Order::bits(range.min));
  }
  if (!state.any || range.max > Order::key(util::load_aligned<Bits>(state.max))) {
    util::store_aligned(state.max, Order::bits(range.max));
  }
  state.any = true;
}

// Widens bounds of zero to both zeros, since readers treat -0 and +0 as equal.
template <typename Bits>
void widen_zeros(Bits& min, Bits& max) {
  if (min == 0) min = -1;
  if (max == -1) max = 0;
}

// Order of integers and floating point of 32 bits, which share one piece of code.
struct Order32 {
  using Bits = std::int32_t;
  static constexpr bool kHasNan = true;
  Bits turned;  // bits that the sign inverts: none in an integer
  Bits key(Bits bits) const { return bits ^ (bits >> 31 & turned); }
  Bits bits(Bits key) const { return Order32::key(key); }
  bool is_nan(Bits key) const { return turned != 0 && Float32Order::is_nan(key); }
  bool is_float() const { return turned != 0; }
};

// Returns whether the key is a NaN, and counts it then.
template <typename Order>
bool take_nan(NumericState& state, typename Order::Bits key, Order order) {
  if constexpr (Order::kHasNan) {
    if (order.is_nan(key)) {
      ++state.nan_count;
      return true;
    }
  }
  return false;
}

// Updates bounds on small cores, with a branch for each value. One comparison tells whether a key of 32 bits
// lies within the bounds so far, as nearly all do; a NaN never does.
template <typename Order>
void update_one_by_one(void* memory, const std::byte* from, const std::byte* end, Order order) {
  using Bits = typename Order::Bits;
  auto& state = *static_cast<NumericState*>(memory);
  const auto take = [&] {
    const Bits key = order.key(util::load_aligned<Bits>(from));
    from += sizeof(Bits);
    return key;
  };
  Bits min = 0;
  if (state.any) {
    min = order.key(util::load_aligned<Bits>(state.min));
  } else {
    do {
      if (from == end) return;
      min = take();
    } while (take_nan(state, min, order));
  }
  Bits max = state.any ? order.key(util::load_aligned<Bits>(state.max)) : min;
  state.any = true;
  const auto width_of = [&] { return static_cast<std::uint32_t>(max) - static_cast<std::uint32_t>(min); };
  std::uint32_t width = width_of();
  while (from != end) {
    const Bits key = take();
    if (sizeof(Bits) <= sizeof width &&
        static_cast<std::uint32_t>(key) - static_cast<std::uint32_t>(min) <= width) {
      continue;
    }
    if (take_nan(state, key, order)) continue;
    if (key > max) {
      max = key;
    } else if (sizeof(Bits) <= sizeof width || key < min) {
      min = key;
    }
    width = width_of();
  }
  if constexpr (Order::kHasNan) {
    if (order.is_float()) widen_zeros(min, max);
  }
  util::store_aligned(state.min, order.bits(min));
  util::store_aligned(state.max, order.bits(max));
}

[[gnu::noinline, maybe_unused]] void update32(void* state, const std::byte* from, const std::byte* end,
                                              Order32 order) {
  update_one_by_one(state, from, end, order);
}

// Finds the range without branches, on desktops, from words that may lie in any array: the compiler takes
// several keys at a time. Requires: from != end.
template <typename Order>
[[gnu::always_inline]] inline Range<typename Order::Bits> range_of(const std::byte* from,
                                                                   const std::byte* end) {
  using Bits = typename Order::Bits;
  using Word [[gnu::may_alias]] = Bits;
  const auto* const words = reinterpret_cast<const Word*>(from);
  const auto count = static_cast<std::size_t>(end - from) / sizeof(Bits);
  Bits min = Order::key(words[0]);
  Bits max = min;
  for (std::size_t i = 1; i < count; ++i) {
    const Bits key = Order::key(words[i]);
    min = key < min ? key : min;
    max = key > max ? key : max;
  }
  return {min, max};
}

// Defines a function for each order, since a template cannot have clones for other processors.
#define MICROPARQUET_FIND_RANGE(ORDER)                                    \
  [[maybe_unused]] MICROPARQUET_VECTORIZED Range<ORDER::Bits> find_range( \
      const std::byte* from, const std::byte* end, ORDER /*order*/) {     \
    return range_of<ORDER>(from, end);                                    \
  }
using Int32Order = IntegerOrder<std::int32_t>;
using Int64Order = IntegerOrder<std::int64_t>;
using Uint32Order = IntegerOrder<std::uint32_t>;
using Uint64Order = IntegerOrder<std::uint64_t>;
MICROPARQUET_FIND_RANGE(Int32Order)
MICROPARQUET_FIND_RANGE(Int64Order)
MICROPARQUET_FIND_RANGE(Uint32Order)
MICROPARQUET_FIND_RANGE(Uint64Order)
MICROPARQUET_FIND_RANGE(Float16Order)
MICROPARQUET_FIND_RANGE(Float32Order)
MICROPARQUET_FIND_RANGE(Float64Order)
#undef MICROPARQUET_FIND_RANGE

// Adds values of a page with NaN among them.
template <typename Order>
void add_without_nan(NumericState& state, const std::byte* from, const std::byte* end) {
  using Bits = typename Order::Bits;
  for (; from != end; from += sizeof(Bits)) {
    const Bits key = Order::key(util::load_aligned<Bits>(from));
    if (Order::is_nan(key)) {
      ++state.nan_count;
      continue;
    }
    Range<Bits> range{key, key};
    widen_zeros(range.min, range.max);
    add_range<Order>(state, range);
  }
}

template <typename Order>
void update_many(void* memory, const std::byte* from, const std::byte* end, Order order) {
  auto& state = *static_cast<NumericState*>(memory);
  if (from == end) return;
  auto range = find_range(from, end, order);
  if constexpr (Order::kHasNan) {
    if (Order::is_nan(range.min) || Order::is_nan(range.max)) {
      add_without_nan<Order>(state, from, end);
      return;
    }
    widen_zeros(range.min, range.max);
  }
  add_range<Order>(state, range);
}

template <typename Order>
void update_numbers(void* state, const std::byte* from, const std::byte* end, Order order) {
  if constexpr (detail::kDesktop) {
    update_many(state, from, end, order);
  } else {
    update_one_by_one(state, from, end, order);
  }
}

void update_int32s(void* state, const std::byte* from, const std::byte* end) {
  if constexpr (!detail::kDesktop) return update32(state, from, end, {0});
  update_many(state, from, end, IntegerOrder<std::int32_t>());
}
void update_floats(void* state, const std::byte* from, const std::byte* end) {
  if constexpr (!detail::kDesktop) return update32(state, from, end, {0x7FFFFFFF});
  update_many(state, from, end, Float32Order());
}

}  // namespace

Bounds detail::bounds_of_numbers(void* memory, const ValueShape& shape) {
  const auto& state = *static_cast<const NumericState*>(memory);
  return {{state.min, shape.value_bytes},
          {state.max, shape.value_bytes},
          state.any,
          false,
          false,
          state.nan_count};
}

void detail::update_int32(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_int32s(state, from, end);
}

void detail::update_int64(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_numbers(state, from, end, IntegerOrder<std::int64_t>());
}

void detail::update_uint32(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_numbers(state, from, end, IntegerOrder<std::uint32_t>());
}

void detail::update_uint64(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_numbers(state, from, end, IntegerOrder<std::uint64_t>());
}

void detail::update_float(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_floats(state, from, end);
}

void detail::update_double(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_numbers(state, from, end, Float64Order());
}

void detail::update_float16(void* state, const std::byte* from, const std::byte* end, const ValueShape&) {
  update_numbers(state, from, end, Float16Order());
}

// Updates the bounds of booleans: bits in PLAIN, whose number the shape has.
void detail::update_boolean(void* memory, const std::byte* from, const std::byte* end,
                            const ValueShape& shape) {
  auto& state = *static_cast<NumericState*>(memory);
  if (from == end) return;
  bool any_true = false;
  bool all_true = true;
  for (std::uint32_t left = shape.value_bytes; from != end; ++from, left -= 8) {
    const unsigned used = left < 8 ? (1U << left) - 1 : 0xFFU;
    const unsigned bits = static_cast<unsigned>(*from) & used;
    any_true = any_true || bits != 0;
    all_true = all_true && bits == used;
    if (left <= 8) break;
  }
  add_range<IntegerOrder<std::uint8_t>>(state, {all_true, any_true});
}
Bounds detail::bounds_of_booleans(void* memory, const ValueShape&) {
  const auto& state = *static_cast<const NumericState*>(memory);
  return {{state.min, 1}, {state.max, 1}, state.any, false, false, 0};
}

}  // namespace microparquet
