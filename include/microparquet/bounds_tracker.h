// Minimum and maximum of a column chunk, by the order of its type (parquet.thrift, Statistics).
//
// How a type is ordered is an object its column names; one that no column names is not linked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"
#include "microparquet/type.h"
#include "microparquet/type_set.h"

namespace microparquet {

// How far binary bounds may be shortened: a shortened bound is below (above) every value, not one of them.
enum class Truncation : std::uint8_t {
  kNone,   // a bound is a whole value or absent: it must be valid in its logical type
  kBytes,  // at any byte
  kUtf8,   // between code points
};

// What a BoundsTracker may know of its column.
struct ValueShape {
  std::uint32_t value_bytes = 0;              // of one value; how values come, see BoundsTracker::update()
  std::uint8_t bound_bytes = 32;              // longest bound kept
  Truncation truncation = Truncation::kNone;  // of bounds longer than bound_bytes
  Type type = {};                             // physical
  std::uint8_t state_bytes = 0;               // of its state
};

// The bounds of the values seen, PLAIN-encoded without a length. They point into the state.
struct Bounds {
  Span<const std::byte> min;  // to be looked at if `known`
  Span<const std::byte> max;  // to be looked at if `known`
  // Both or neither: there are readers (arrow-go) that take a missing bound beside a present one for an empty
  // string.
  bool known = false;
  bool min_shortened = false;   // see Truncation
  bool max_shortened = false;   // see Truncation
  std::uint32_t nan_count = 0;  // where counts_nan()
};

// Constant objects without state of their own: two functions and what they are for. A state is memory of
// bounds_state_bytes(), aligned to 8; all bytes zero is the state that has seen no value. Thread-safe.
class BoundsTracker {
 public:
  // What update() calls.
  using Update = void(void* state, const std::byte* values, const std::byte* end, const ValueShape& shape);
  // What bounds() calls.
  using Ask = Bounds(void* state, const ValueShape& shape);

  // `types`: the physical types whose values are ordered so.
  constexpr BoundsTracker(Update& update, Ask& ask, TypeSet types, bool counts_nan = false)
      : update_(&update), ask_(&ask), types_(types), counts_nan_(counts_nan) {}

  // Takes the values from `values` up to `end`, in PLAIN:
  // - numbers and kFixedLenByteArray: shape.value_bytes each, one after another. Numbers, and values of two
  //   bytes, are aligned to their size.
  // - kBoolean: shape.value_bytes values, a bit each, least significant first; the last byte may hold fewer
  //   than eight.
  // - kByteArray: where shape.value_bytes is 0 a length of four bytes, little-endian, before each value; else
  //   values of shape.value_bytes without one. Neither is aligned.
  //
  // Of integers an encoder may leave out those that lie between two others of the column by their signed and
  // by their unsigned order.
  //
  // `shape` may differ from call to call in value_bytes, and in nothing else: the encoder of PLAIN gives all
  // values of a page at once, others some of them at a time.
  void update(void* state, const std::byte* values, const std::byte* end, const ValueShape& shape) const {
    update_(state, values, end, shape);
  }

  // The bounds by the rules of the format: no NaN among them, a zero minimum is -0, a zero maximum +0. May
  // be asked again after further updates; an answer holds until then.
  Bounds bounds(void* state, const ValueShape& shape) const { return ask_(state, shape); }

  // Whether a column of that physical type may name it.
  constexpr bool supports(Type type) const { return types_.contains(type); }

  // The type has NaN, and Bounds::nan_count is to be written.
  constexpr bool counts_nan() const { return counts_nan_; }

 private:
  Update* update_;
  Ask* ask_;
  TypeSet types_;
  bool counts_nan_;
};

namespace detail {
BoundsTracker::Update update_int32;
BoundsTracker::Update update_int64;
BoundsTracker::Update update_uint32;
BoundsTracker::Update update_uint64;
BoundsTracker::Update update_float;
BoundsTracker::Update update_double;
BoundsTracker::Update update_float16;
BoundsTracker::Update update_boolean;
BoundsTracker::Update update_binary;
BoundsTracker::Update update_decimal;
BoundsTracker::Update update_nothing;
BoundsTracker::Ask bounds_of_numbers;
BoundsTracker::Ask bounds_of_booleans;
BoundsTracker::Ask bounds_of_binary;
BoundsTracker::Ask bounds_of_decimals;
BoundsTracker::Ask bounds_of_nothing;
}  // namespace detail

// Numbers of 32 bits with a sign.
inline constexpr BoundsTracker kInt32Bounds(detail::update_int32, detail::bounds_of_numbers, Type::kInt32);
// Numbers of 64 bits with a sign.
inline constexpr BoundsTracker kInt64Bounds(detail::update_int64, detail::bounds_of_numbers, Type::kInt64);
// Numbers of 32 bits without a sign.
inline constexpr BoundsTracker kUint32Bounds(detail::update_uint32, detail::bounds_of_numbers, Type::kInt32);
// Numbers of 64 bits without a sign.
inline constexpr BoundsTracker kUint64Bounds(detail::update_uint64, detail::bounds_of_numbers, Type::kInt64);
// Single precision; NaN is counted and in no bound.
inline constexpr BoundsTracker kFloatBounds(detail::update_float, detail::bounds_of_numbers, Type::kFloat,
                                            true);
// Double precision; NaN is counted and in no bound.
inline constexpr BoundsTracker kDoubleBounds(detail::update_double, detail::bounds_of_numbers, Type::kDouble,
                                             true);
// Half precision in two bytes; NaN is counted and in no bound.
inline constexpr BoundsTracker kFloat16Bounds(detail::update_float16, detail::bounds_of_numbers,
                                              Type::kFixedLenByteArray, true);
// False before true.
inline constexpr BoundsTracker kBooleanBounds(detail::update_boolean, detail::bounds_of_booleans,
                                              Type::kBoolean);
// Unsigned, byte by byte.
inline constexpr BoundsTracker kBinaryBounds(detail::update_binary, detail::bounds_of_binary,
                                             {Type::kByteArray, Type::kFixedLenByteArray});
// Signed big-endian numbers of any length.
inline constexpr BoundsTracker kDecimalBounds(detail::update_decimal, detail::bounds_of_decimals,
                                              {Type::kByteArray, Type::kFixedLenByteArray});
// The type has no order: no bounds.
inline constexpr BoundsTracker kNoBounds(detail::update_nothing, detail::bounds_of_nothing,
                                         {Type::kBoolean, Type::kInt32, Type::kInt64, Type::kInt96,
                                          Type::kFloat, Type::kDouble, Type::kByteArray,
                                          Type::kFixedLenByteArray});

}  // namespace microparquet
