// Minimum and maximum of byte strings.
//
// Bounds are kept as the first shape.bound_bytes bytes of the value they come from. A prefix of the minimum
// is still below every value; a prefix of the maximum is not above, therefore bounds_of_binary() increments a
// shortened maximum. Shortening to whole code points waits until then too: prefixes of equal length keep the
// order of the values, prefixes that end between code points would not.
#include <cstring>

#include "base/endian.h"
#include "microparquet/bounds_tracker.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "values/value_order.h"

namespace microparquet {
namespace {

// State of the tracker. After this head lie three arrays of bound_bytes: minimum, maximum, and the maximum in
// the form given out.
struct BinaryState {
  std::uint8_t min_bytes;
  std::uint8_t max_bytes;
  bool min_shortened;
  bool max_shortened;
  bool any;
  std::uint8_t reserved[3];

  std::byte* min() { return reinterpret_cast<std::byte*>(this + 1); }
  std::byte* max(const ValueShape& shape) { return min() + shape.bound_bytes; }
  std::byte* out(const ValueShape& shape) { return max(shape) + shape.bound_bytes; }
};
static_assert(sizeof(BinaryState) == 8);

using ByteSpan = Span<const std::byte>;

// Calls `take` with each value, encoded in PLAIN.
template <typename Take>
void for_each_value(const std::byte* from, const std::byte* end, const ValueShape& shape, Take take) {
  while (from != end) {
    std::uint32_t size = shape.value_bytes;
    if (size == 0) {
      size = util::load<std::uint32_t>(from);
      from += encoding::kLengthBytes;
    }
    take(ByteSpan{from, size});
    from += size;
  }
}

void set_min(BinaryState& state, ByteSpan value, const ValueShape& shape) {
  state.min_shortened = value.size() > shape.bound_bytes;
  state.min_bytes = static_cast<std::uint8_t>(state.min_shortened ? shape.bound_bytes : value.size());
  std::memcpy(state.min(), value.data(), state.min_bytes);
}

void set_max(BinaryState& state, ByteSpan value, const ValueShape& shape) {
  state.max_shortened = value.size() > shape.bound_bytes;
  state.max_bytes = static_cast<std::uint8_t>(state.max_shortened ? shape.bound_bytes : value.size());
  std::memcpy(state.max(shape), value.data(), state.max_bytes);
}

bool is_continuation(std::byte byte) { return (byte & std::byte{0xC0}) == std::byte{0x80}; }

// Returns the length of the code point that begins with `lead`; 5: none does.
unsigned code_point_bytes(std::byte lead) {
  const auto first = static_cast<unsigned>(lead);
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 5;
}

// Returns the longest prefix of at most `size` bytes that ends between code points.
std::uint8_t between_code_points(const std::byte* data, std::uint8_t size) {
  // A shortened prefix may end inside a code point: its lead byte says how many bytes it needs.
  std::uint8_t lead = size;
  while (lead != 0 && is_continuation(data[lead - 1])) --lead;
  if (lead == 0) return 0;
  --lead;
  return lead + code_point_bytes(data[lead]) <= size ? size : lead;
}

// Increments the last byte that can be, which makes the string larger than all that begin with it. Returns
// its new size, 0: there is no larger one.
std::uint8_t increment_bytes(std::byte* data, std::uint8_t size) {
  for (; size != 0; --size) {
    if (data[size - 1] == std::byte{0xFF}) continue;
    data[size - 1] = static_cast<std::byte>(static_cast<unsigned>(data[size - 1]) + 1);
    return size;
  }
  return 0;
}

// Increments the last code point that can be raised within its length. Bytes that are no code point are
// dropped, since other bytes in their place might not be larger.
std::uint8_t increment_utf8(std::byte* data, std::uint8_t size) {
  while (size != 0) {
    std::uint8_t lead = size;
    while (lead != 0 && is_continuation(data[lead - 1])) --lead;
    if (lead == 0) return 0;  // invalid UTF-8
    --lead;
    const unsigned length = size - lead;
    constexpr std::uint32_t kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    constexpr std::uint32_t kLast[] = {0, 0x7F, 0x7FF, 0xFFFF, 0x10FFFF};
    constexpr std::uint32_t kLeadMark[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    if (length > 4 || length != code_point_bytes(data[lead])) {
      size = lead;
      continue;
    }
    std::uint32_t code = static_cast<std::uint32_t>(data[lead]) & kLeadBits[length];
    for (unsigned i = 1; i < length; ++i)
      code = code << 6 | (static_cast<std::uint32_t>(data[lead + i]) & 0x3F);
    if (code < kLast[length]) {
      ++code;
      if (code == 0xD800) code = 0xE000;  // surrogates are no code points
      for (unsigned i = length - 1; i != 0; --i, code >>= 6)
        data[lead + i] = static_cast<std::byte>(0x80 | (code & 0x3F));
      data[lead] = static_cast<std::byte>(kLeadMark[length] | code);
      return size;
    }
    size = lead;
  }
  return 0;
}

// Shortens the minimum. Returns false if there is no such bound.
bool shorten_min(BinaryState& state, const ValueShape& shape, Bounds& bounds) {
  std::uint8_t size = state.min_bytes;
  bounds.min_shortened = state.min_shortened;
  if (state.min_shortened) {
    if (shape.truncation == Truncation::kNone) return false;
    if (shape.truncation == Truncation::kUtf8) size = between_code_points(state.min(), size);
  }
  bounds.min = Span<const std::byte>(state.min(), size);
  return true;
}

bool shorten_max(BinaryState& state, const ValueShape& shape, Bounds& bounds) {
  bounds.max = Span<const std::byte>(state.max(shape), state.max_bytes);
  bounds.max_shortened = state.max_shortened;
  if (!state.max_shortened) return true;
  std::byte* const out = state.out(shape);
  std::memcpy(out, state.max(shape), state.max_bytes);
  std::uint8_t size = 0;
  if (shape.truncation == Truncation::kBytes) size = increment_bytes(out, state.max_bytes);
  if (shape.truncation == Truncation::kUtf8)
    size = increment_utf8(out, between_code_points(out, state.max_bytes));
  bounds.max = Span<const std::byte>(out, size);
  return size != 0;
}

// Returns a decimal without the bytes that only repeat its sign.
ByteSpan significant(ByteSpan value) {
  while (value.size() > 1) {
    const bool negative = (value[1] & std::byte{0x80}) != std::byte{0};
    if (value[0] != (negative ? std::byte{0xFF} : std::byte{0})) break;
    value = value.subspan(1, value.size() - 1);
  }
  return value;
}

}  // namespace

void detail::update_binary(void* memory, const std::byte* from, const std::byte* end,
                           const ValueShape& shape) {
  auto& state = *static_cast<BinaryState*>(memory);
  for_each_value(from, end, shape, [&](ByteSpan value) {
    const ByteSpan min{state.min(), state.min_bytes};
    const ByteSpan max{state.max(shape), state.max_bytes};
    // A bound is exact if a value equals its shortened form.
    if (!state.any || order_of_bytes(value, min) <= 0) set_min(state, value, shape);
    if (!state.any || order_of_bytes(value, max) > 0) set_max(state, value, shape);
    state.any = true;
  });
}

Bounds detail::bounds_of_binary(void* memory, const ValueShape& shape) {
  auto& state = *static_cast<BinaryState*>(memory);
  Bounds bounds;
  bounds.known = state.any && shorten_min(state, shape, bounds) && shorten_max(state, shape, bounds);
  return bounds;
}

// Updates the bounds of decimals, which are never shortened: the column has no bounds after a value longer
// than a bound can be.
void detail::update_decimal(void* memory, const std::byte* from, const std::byte* end,
                            const ValueShape& shape) {
  auto& state = *static_cast<BinaryState*>(memory);
  for_each_value(from, end, shape, [&](ByteSpan value) {
    value = shape.type == Type::kByteArray || shape.value_bytes == 0 ? significant(value) : value;
    if (value.empty() || value.size() > shape.bound_bytes) state.min_shortened = true;
    if (state.min_shortened) return;
    if (!state.any || compare_decimals(value, {state.min(), state.min_bytes}) == Comparison::kLess)
      set_min(state, value, shape);
    if (!state.any || compare_decimals(value, {state.max(shape), state.max_bytes}) == Comparison::kGreater)
      set_max(state, value, shape);
    state.any = true;
  });
}

Bounds detail::bounds_of_decimals(void* memory, const ValueShape& shape) {
  auto& state = *static_cast<BinaryState*>(memory);
  const bool known = state.any && !state.min_shortened;
  return {{state.min(), state.min_bytes}, {state.max(shape), state.max_bytes}, known, false, false, 0};
}

void detail::update_nothing(void*, const std::byte*, const std::byte*, const ValueShape&) {}
Bounds detail::bounds_of_nothing(void*, const ValueShape&) { return {}; }

}  // namespace microparquet
