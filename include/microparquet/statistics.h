// Minimum and maximum of a column chunk, by the order of its type (parquet.thrift, Statistics).
//
// How a type is ordered is an object its column names; one that no column names is not linked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"
#include "microparquet/type.h"

namespace microparquet {

// How far binary bounds may be shortened: a shortened bound is below (above) every value, not one of them.
enum class Truncation : std::uint8_t {
  kNone,   // a bound is a whole value or absent: it must be valid in its logical type
  kBytes,  // at any byte
  kUtf8,   // between code points
};

// What a Statistics object may know of its column.
struct ValueShape {
  std::uint32_t value_bytes = 0;  // of one value; 0: each is preceded by its length in four bytes
  std::uint8_t bound_bytes = 32;  // longest bound kept
  Truncation truncation = Truncation::kNone;
  Type type = {};
  std::uint8_t state_bytes = 0;  // of its state
};

// The bounds of the values seen, PLAIN-encoded without a length. They point into the state.
struct Bounds {
  Span<const std::byte> min;
  Span<const std::byte> max;
  // Both or neither: there are readers (arrow-go) that take a missing bound beside a present one for an empty
  // string.
  bool known = false;
  bool min_shortened = false;
  bool max_shortened = false;
  std::uint32_t nan_count = 0;
};

// Constant objects without state of their own: two functions and what they are for. A state is memory of
// statistics_state_bytes(), aligned to 8; all bytes zero is the state that has seen no value. Thread-safe.
class Statistics {
 public:
  using Update = void(void* state, const std::byte* values, const std::byte* end, const ValueShape& shape);
  using Ask = Bounds(void* state, const ValueShape& shape);

  // `types`: the physical types whose values are ordered so, a bit each by their number in parquet.thrift.
  constexpr Statistics(Update& update, Ask& ask, std::uint8_t types, bool counts_nan = false)
      : update_(&update), ask_(&ask), types_(types), counts_nan_(counts_nan) {}

  // Takes the PLAIN-encoded values from `values` up to `end`. Those of 2, 4 or 8 bytes are aligned to their
  // size.
  void update(void* state, const std::byte* values, const std::byte* end, const ValueShape& shape) const {
    update_(state, values, end, shape);
  }

  // The bounds by the rules of the format: no NaN among them, a zero minimum is -0, a zero maximum +0. May
  // be asked again after further updates; an answer holds until then.
  Bounds bounds(void* state, const ValueShape& shape) const { return ask_(state, shape); }

  constexpr bool takes(unsigned type) const { return (types_ >> type & 1) != 0; }

  // The type has NaN, and Bounds::nan_count is to be written.
  constexpr bool counts_nan() const { return counts_nan_; }

 private:
  Update* update_;
  Ask* ask_;
  std::uint8_t types_;
  bool counts_nan_;
};

namespace detail {
Statistics::Update update_int32;
Statistics::Update update_int64;
Statistics::Update update_uint32;
Statistics::Update update_uint64;
Statistics::Update update_float;
Statistics::Update update_double;
Statistics::Update update_float16;
Statistics::Update update_boolean;
Statistics::Update update_binary;
Statistics::Update update_decimal;
Statistics::Update update_nothing;
Statistics::Ask bounds_of_numbers;
Statistics::Ask bounds_of_booleans;
Statistics::Ask bounds_of_binary;
Statistics::Ask bounds_of_decimals;
Statistics::Ask bounds_of_nothing;
}  // namespace detail

inline constexpr Statistics kInt32Statistics(detail::update_int32, detail::bounds_of_numbers, 1 << 1);
inline constexpr Statistics kInt64Statistics(detail::update_int64, detail::bounds_of_numbers, 1 << 2);
inline constexpr Statistics kUint32Statistics(detail::update_uint32, detail::bounds_of_numbers, 1 << 1);
inline constexpr Statistics kUint64Statistics(detail::update_uint64, detail::bounds_of_numbers, 1 << 2);
inline constexpr Statistics kFloatStatistics(detail::update_float, detail::bounds_of_numbers, 1 << 4, true);
inline constexpr Statistics kDoubleStatistics(detail::update_double, detail::bounds_of_numbers, 1 << 5, true);
inline constexpr Statistics kFloat16Statistics(detail::update_float16, detail::bounds_of_numbers, 1 << 7,
                                               true);
inline constexpr Statistics kBooleanStatistics(detail::update_boolean, detail::bounds_of_booleans, 1 << 0);
// Unsigned, byte by byte.
inline constexpr Statistics kBinaryStatistics(detail::update_binary, detail::bounds_of_binary,
                                              1 << 6 | 1 << 7);
// Signed big-endian numbers of any length.
inline constexpr Statistics kDecimalStatistics(detail::update_decimal, detail::bounds_of_decimals,
                                               1 << 6 | 1 << 7);
// The type has no order: no bounds.
inline constexpr Statistics kNoStatistics(detail::update_nothing, detail::bounds_of_nothing, 0xFF);

}  // namespace microparquet
