// Minimum and maximum of a column chunk, by the order of its type (parquet.thrift, Statistics).
//
// A column names an object that knows the order of its type; a tracker that no column names is not linked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"
#include "microparquet/type.h"
#include "microparquet/type_set.h"

namespace microparquet {

// Rules for shortening binary bounds. A shortened bound lies below (above) every value and need not be a
// value.
enum class Truncation : std::uint8_t {
  kNone,   // no cut: a bound is a whole value or absent, since it must be valid in its logical type
  kBytes,  // cut at any byte
  kUtf8,   // cut between code points
};

// Properties of a column that a BoundsTracker may use.
struct ValueShape {
  std::uint32_t value_bytes = 0;              // length of a value; BoundsTracker::update() describes how
                                              // values arrive
  std::uint8_t bound_bytes = 32;              // longest bound kept
  Truncation truncation = Truncation::kNone;  // rule for bounds longer than bound_bytes
  Type type = {};                             // physical type
  std::uint8_t state_bytes = 0;               // length of its state
};

// Bounds of the values seen, in PLAIN without a length. They point into the state.
struct Bounds {
  Span<const std::byte> min;  // value, if `known`
  Span<const std::byte> max;  // value, if `known`
  // The writer stores both bounds or neither: some readers (arrow-go) take a missing bound beside a present
  // one for an empty string.
  bool known = false;
  bool min_shortened = false;   // see Truncation
  bool max_shortened = false;   // see Truncation
  std::uint32_t nan_count = 0;  // number of NaN, if counts_nan()
};

// A constant object without state of its own: two functions and their types. A state is memory of
// bounds_state_bytes(), aligned to 8; a state of zeros has seen no value. Thread-safe.
class BoundsTracker {
 public:
  // Type of the function that update() calls.
  using Update = void(void* state, const std::byte* values, const std::byte* end, const ValueShape& shape);
  // Type of the function that bounds() calls.
  using Ask = Bounds(void* state, const ValueShape& shape);

  // `types`: the physical types with values of this order.
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
  // An encoder may leave out integers that lie between two others of the column by both the signed and the
  // unsigned order.
  //
  // `shape` may differ from call to call in value_bytes, and in nothing else: the encoder of PLAIN gives all
  // values of a page at once, others some of them at a time.
  void update(void* state, const std::byte* values, const std::byte* end, const ValueShape& shape) const {
    update_(state, values, end, shape);
  }

  // Returns the bounds by the rules of the format: no NaN among them, a zero minimum is -0, a zero maximum
  // +0. More updates and calls may follow; a result is valid until the next update.
  Bounds bounds(void* state, const ValueShape& shape) const { return ask_(state, shape); }

  // Returns whether a column of this physical type may name it.
  constexpr bool supports(Type type) const { return types_.contains(type); }

  // Returns whether the type has NaN, whose number Bounds::nan_count is then written.
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
// Booleans: false is less than true.
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
