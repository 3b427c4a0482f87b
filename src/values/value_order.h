// Order of a column's values, as Parquet defines it for their type (parquet.thrift, ColumnOrder). A program
// links only the functions it calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/endian.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet::detail {

// Orders of values. kNone: no order is defined for INT96, INTERVAL and logical types unknown here.
enum class ValueOrder : std::uint8_t {
  kNone,
  kBoolean,
  kInt32,
  kInt64,
  kUint32,
  kUint64,
  kFloat,
  kDouble,
  kFloat16,
  kBytes,    // unsigned, byte by byte; a prefix comes before longer strings
  kDecimal,  // signed big-endian numbers of any length
};

inline ValueOrder order_of(Type type, std::uint32_t type_length, const LogicalType& logical) {
  if (is_read_only(logical.kind) || logical.kind == LogicalKind::kInterval) return ValueOrder::kNone;
  const bool is_unsigned = logical.kind == LogicalKind::kInteger && !logical.is_signed;
  switch (type) {
    case Type::kBoolean: return ValueOrder::kBoolean;
    case Type::kInt32: return is_unsigned ? ValueOrder::kUint32 : ValueOrder::kInt32;
    case Type::kInt64: return is_unsigned ? ValueOrder::kUint64 : ValueOrder::kInt64;
    case Type::kFloat: return ValueOrder::kFloat;
    case Type::kDouble: return ValueOrder::kDouble;
    case Type::kByteArray:
    case Type::kFixedLenByteArray: break;
    case Type::kInt96: return ValueOrder::kNone;
  }
  if (logical.kind == LogicalKind::kDecimal) return ValueOrder::kDecimal;
  if (logical.kind != LogicalKind::kFloat16) return ValueOrder::kBytes;
  return type_length == 2 ? ValueOrder::kFloat16 : ValueOrder::kNone;
}

// Returns the order of a Field or a SchemaElement.
template <typename Column>
ValueOrder order_of(const Column& column) {
  return order_of(column.type, column.type_length, column.logical);
}

constexpr bool has_nan(ValueOrder order) {
  return order == ValueOrder::kFloat || order == ValueOrder::kDouble || order == ValueOrder::kFloat16;
}

// Returns whether the deprecated Statistics.min and .max can be trusted. Some writers compared them as signed
// numbers and others bytewise; both agree on signed numbers.
constexpr bool trusts_old_bounds(ValueOrder order) {
  return order == ValueOrder::kBoolean || order == ValueOrder::kInt32 || order == ValueOrder::kInt64 ||
         order == ValueOrder::kFloat || order == ValueOrder::kDouble;
}

// Keys of integers, ordered by `<` as the integers are.
template <typename Integer>
struct IntegerOrder {
  using Bits = Integer;
  static constexpr bool kHasNan = false;
  static Bits key(Bits bits) { return bits; }
  static Bits bits(Bits key) { return key; }
};

// Keys of floating point, compared as integers. With the lower bits of negative numbers inverted, the bits
// have the order of the numbers: -0 is before +0 (their keys are -1 and 0), and every NaN is beyond the
// infinities. No floating-point unit is needed.
template <typename SignedBits, SignedBits kInfinityBits>
struct FloatOrder {
  using Bits = SignedBits;
  static constexpr bool kHasNan = true;
  static constexpr Bits kInfinity = kInfinityBits;                           // the key of +infinity
  static constexpr Bits kMinusInfinity = static_cast<Bits>(~kInfinityBits);  // the key of -infinity
  // Inverts without a branch, by the sign spread over the bits below it.
  static Bits key(Bits bits) {
    using Unsigned = std::make_unsigned_t<Bits>;
    const auto sign = static_cast<Unsigned>(bits >> (8 * sizeof(Bits) - 1));
    return static_cast<Bits>(bits ^ static_cast<Bits>(static_cast<Unsigned>(sign) >> 1));
  }
  static Bits bits(Bits key) { return FloatOrder::key(key); }  // its own inverse
  static bool is_nan(Bits key) { return key > kInfinity || key < kMinusInfinity; }
  static constexpr bool is_float() { return true; }
};

using Float16Order = FloatOrder<std::int16_t, 0x7C00>;
using Float32Order = FloatOrder<std::int32_t, 0x7F800000>;
using Float64Order = FloatOrder<std::int64_t, 0x7FF0000000000000>;

// Result of a comparison. kNot: at least one value has no place in the order.
enum class Comparison : std::uint8_t { kLess, kEqual, kGreater, kNot };

template <typename Order>
bool place_as(Span<const std::byte> value, std::int64_t& place) {
  using Bits = typename Order::Bits;
  if (value.size() != sizeof(Bits)) return false;
  const Bits key = Order::key(util::load<Bits>(value.data()));
  place = static_cast<std::int64_t>(key);
  if constexpr (std::is_same_v<Bits, std::uint64_t>) place ^= INT64_MIN;
  if constexpr (Order::kHasNan) {
    if (Order::is_nan(key)) return false;
    if (key == -1) place = 0;  // both zeros are one number
  }
  return true;
}

// Finds where a number, in PLAIN, stands among the numbers of its type. Returns false if it has none, as a
// NaN, or is not of the type's size.
inline bool place_of_number(ValueOrder order, Span<const std::byte> value, std::int64_t& place) {
  switch (order) {
    case ValueOrder::kBoolean: return place_as<IntegerOrder<std::uint8_t>>(value, place);
    case ValueOrder::kInt32: return place_as<IntegerOrder<std::int32_t>>(value, place);
    case ValueOrder::kInt64: return place_as<IntegerOrder<std::int64_t>>(value, place);
    case ValueOrder::kUint32: return place_as<IntegerOrder<std::uint32_t>>(value, place);
    case ValueOrder::kUint64: return place_as<IntegerOrder<std::uint64_t>>(value, place);
    case ValueOrder::kFloat: return place_as<Float32Order>(value, place);
    case ValueOrder::kDouble: return place_as<Float64Order>(value, place);
    case ValueOrder::kFloat16: return place_as<Float16Order>(value, place);
    case ValueOrder::kNone:
    case ValueOrder::kBytes:
    case ValueOrder::kDecimal: break;
  }
  return false;
}

template <typename Integer>
constexpr Comparison compare_integers(Integer a, Integer b) {
  return a < b ? Comparison::kLess : a > b ? Comparison::kGreater : Comparison::kEqual;
}

inline Comparison compare_numbers(ValueOrder order, Span<const std::byte> a, Span<const std::byte> b) {
  std::int64_t x = 0;
  std::int64_t y = 0;
  if (!place_of_number(order, a, x) || !place_of_number(order, b, y)) return Comparison::kNot;
  return compare_integers(x, y);
}

// Returns a number below, equal to or above 0, as memcmp. Requires: neither points to null, not even an empty
// one.
inline int order_of_bytes(Span<const std::byte> a, Span<const std::byte> b) {
  const std::size_t shared = a.size() < b.size() ? a.size() : b.size();
  const int order = std::memcmp(a.data(), b.data(), shared);
  if (order != 0) return order;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

inline Comparison compare_bytes(Span<const std::byte> a, Span<const std::byte> b) {
  if (a.empty() || b.empty()) return compare_integers(a.size(), b.size());
  return compare_integers(order_of_bytes(a, b), 0);
}

// Compares a decimal of `bytes` bytes with a value. `next_byte()` returns its bytes from the first on, as far
// as they are needed. The sign of the shorter one is extended; with the sign bit inverted both are ordered as
// unsigned bytes. An empty decimal is no number.
template <typename NextByte>
Comparison compare_decimals(NextByte next_byte, std::size_t bytes, Span<const std::byte> value) {
  if (bytes == 0 || value.empty()) return Comparison::kNot;
  const unsigned first = next_byte();
  const unsigned sign = (first & 0x80) != 0 ? 0xFF : 0;
  const unsigned value_sign = (static_cast<unsigned>(value[0]) & 0x80) != 0 ? 0xFF : 0;
  unsigned flip = 0x80;
  for (std::size_t place = bytes > value.size() ? bytes : value.size(); place-- > 0; flip = 0) {
    unsigned left = sign;
    if (place < bytes) left = place == bytes - 1 ? first : next_byte();
    const unsigned right =
        place < value.size() ? static_cast<unsigned>(value[value.size() - 1 - place]) : value_sign;
    if (left == right) continue;
    return (left ^ flip) < (right ^ flip) ? Comparison::kLess : Comparison::kGreater;
  }
  return Comparison::kEqual;
}

inline Comparison compare_decimals(Span<const std::byte> a, Span<const std::byte> b) {
  const std::byte* next = a.data();
  return compare_decimals([&] { return static_cast<unsigned>(*next++); }, a.size(), b);
}

// Compares two values in the form of statistics: as in PLAIN, byte arrays without their length.
inline Comparison compare(ValueOrder order, Span<const std::byte> a, Span<const std::byte> b) {
  if (order == ValueOrder::kBytes) return compare_bytes(a, b);
  if (order == ValueOrder::kDecimal) return compare_decimals(a, b);
  return compare_numbers(order, a, b);
}

// Returns whether a value has a place in the order. NaN has none, nor has a value of another size than the
// type's.
inline bool has_place(ValueOrder order, Span<const std::byte> value) {
  std::int64_t place = 0;
  if (order == ValueOrder::kBytes) return true;
  return order == ValueOrder::kDecimal ? !value.empty() : place_of_number(order, value, place);
}

}  // namespace microparquet::detail
