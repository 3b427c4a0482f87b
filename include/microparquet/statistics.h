// Minimum and maximum of a column chunk, by the order of its type (parquet.thrift, Statistics).
//
// How a type is ordered is an object its column names; one that no column names is not linked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"

namespace microparquet {

// How far binary bounds may be shortened: a shortened bound is below (above) every value, not one of them.
enum class Truncation : std::uint8_t {
  kNone,   // a bound is a whole value or absent: it must be valid in its logical type
  kBytes,  // at any byte
  kUtf8,   // between code points
};

// What a Statistics object needs to know of its column.
struct ValueShape {
  std::uint32_t value_bytes = 0;  // of one value; 0: each is preceded by its length in four bytes
  std::uint8_t bound_bytes = 32;  // longest bound kept
  Truncation truncation = Truncation::kNone;
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

// Constant objects without state of their own. A state is memory of statistics_state_bytes(), aligned to 8;
// all bytes zero is the state that has seen no value. Thread-safe.
class Statistics {
 public:
  // Takes the PLAIN-encoded values from `values` up to `end`.
  virtual void update(void* state, const std::byte* values, const std::byte* end,
                      const ValueShape& shape) const = 0;

  // The bounds by the rules of the format: no NaN among them, a zero minimum is -0, a zero maximum +0. May
  // be asked again after further updates; an answer holds until then.
  virtual Bounds bounds(void* state, const ValueShape& shape) const = 0;

  // True when the values of this physical type, by its number in parquet.thrift, are ordered so.
  constexpr bool takes(unsigned type) const { return (types_ >> type & 1) != 0; }

  // The type has NaN, and Bounds::nan_count is to be written.
  constexpr bool counts_nan() const { return counts_nan_; }

 protected:
  explicit constexpr Statistics(std::uint8_t types, bool counts_nan = false)
      : types_(types), counts_nan_(counts_nan) {}
  ~Statistics() = default;

 private:
  std::uint8_t types_;  // a bit each
  bool counts_nan_;
};

// What the statistics of numbers share.
class NumberStatistics : public Statistics {
 public:
  Bounds bounds(void* state, const ValueShape& shape) const final;

 protected:
  using Statistics::Statistics;
  ~NumberStatistics() = default;
};

#define MICROPARQUET_NUMBER_STATISTICS(Name, ...)                           \
  class Name final : public NumberStatistics {                              \
   public:                                                                  \
    constexpr Name() : NumberStatistics(__VA_ARGS__) {}                     \
    void update(void* state, const std::byte* values, const std::byte* end, \
                const ValueShape& shape) const override;                    \
  }
MICROPARQUET_NUMBER_STATISTICS(Int32Statistics, 1 << 1);
MICROPARQUET_NUMBER_STATISTICS(Int64Statistics, 1 << 2);
MICROPARQUET_NUMBER_STATISTICS(Uint32Statistics, 1 << 1);
MICROPARQUET_NUMBER_STATISTICS(Uint64Statistics, 1 << 2);
MICROPARQUET_NUMBER_STATISTICS(FloatStatistics, 1 << 4, true);
MICROPARQUET_NUMBER_STATISTICS(DoubleStatistics, 1 << 5, true);
MICROPARQUET_NUMBER_STATISTICS(Float16Statistics, 1 << 7, true);
#undef MICROPARQUET_NUMBER_STATISTICS

#define MICROPARQUET_STATISTICS(Name, types)                                \
  class Name final : public Statistics {                                    \
   public:                                                                  \
    constexpr Name() : Statistics(types) {}                                 \
    void update(void* state, const std::byte* values, const std::byte* end, \
                const ValueShape& shape) const override;                    \
    Bounds bounds(void* state, const ValueShape& shape) const override;     \
  }
MICROPARQUET_STATISTICS(BooleanStatistics, 1 << 0);
MICROPARQUET_STATISTICS(BinaryStatistics, 1 << 6 | 1 << 7);   // unsigned byte by byte
MICROPARQUET_STATISTICS(DecimalStatistics, 1 << 6 | 1 << 7);  // signed big-endian numbers of any length
MICROPARQUET_STATISTICS(NoStatistics, 0xFF);                  // the type has no order: no bounds
#undef MICROPARQUET_STATISTICS

inline constexpr Int32Statistics kInt32Statistics;
inline constexpr Int64Statistics kInt64Statistics;
inline constexpr Uint32Statistics kUint32Statistics;
inline constexpr Uint64Statistics kUint64Statistics;
inline constexpr FloatStatistics kFloatStatistics;
inline constexpr DoubleStatistics kDoubleStatistics;
inline constexpr Float16Statistics kFloat16Statistics;
inline constexpr BooleanStatistics kBooleanStatistics;
inline constexpr BinaryStatistics kBinaryStatistics;
inline constexpr DecimalStatistics kDecimalStatistics;
inline constexpr NoStatistics kNoStatistics;

}  // namespace microparquet
