// Reading Statistics (parquet.thrift) from any writer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "microparquet/file_metadata.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Stores bounds in the caller's buffer, one after another.
class BoundBuffer {
 public:
  explicit BoundBuffer(Span<std::byte> buffer) : buffer_(buffer) {}

  bool read(thrift::CompactReader& in, const thrift::FieldHeader& field, Span<const std::byte>& bound) {
    const std::uint32_t bytes = in.binary(field);
    needed_ += bytes;
    if (bytes > buffer_.size() - used_) {
      in.pass(bytes);
      return false;
    }
    std::byte* const out = buffer_.data() + used_;
    in.copy(out, bytes);
    used_ += bytes;
    bound = Span<const std::byte>(out, bytes);
    return in.ok();
  }

  std::uint64_t needed() const { return needed_; }

 private:
  Span<std::byte> buffer_;
  std::size_t used_ = 0;
  std::uint64_t needed_ = 0;
};

// Exactness of a bound. A bound of a fixed-width value is exact unless a field says otherwise.
struct Exactness {
  bool told = false;
  bool exact = false;

  void read(thrift::CompactReader& in, const thrift::FieldHeader& field) {
    exact = in.boolean(field);
    told = true;
  }
  bool resolve(bool fixed_width) const { return told ? exact : fixed_width; }
};

struct OldBounds {
  bool has_min = false;
  bool has_max = false;
  Span<const std::byte> min;
  Span<const std::byte> max;
};

inline void use_deprecated_bounds(const OldBounds& old, ColumnStatistics& statistics) {
  if (statistics.has_min || statistics.has_max || (!old.has_min && !old.has_max)) return;
  statistics.deprecated = true;
  statistics.has_min = old.has_min;
  statistics.has_max = old.has_max;
  statistics.min = old.min;
  statistics.max = old.max;
}

inline void read_count(thrift::CompactReader& in, const thrift::FieldHeader& field, bool& has,
                       std::uint64_t& count) {
  count = in.count(field);
  has = in.ok();
}

// Reads the statistics of a column; `fixed_width`: its values have a fixed width.
static inline Status read_statistics(thrift::CompactReader& in, bool fixed_width, BoundBuffer& buffer,
                                     ColumnStatistics& out) {
  OldBounds old;
  Exactness min_exact;
  Exactness max_exact;
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case StatisticsField::kMax: old.has_max = buffer.read(in, field, old.max); break;
      case StatisticsField::kMin: old.has_min = buffer.read(in, field, old.min); break;
      case StatisticsField::kMaxValue: out.has_max = buffer.read(in, field, out.max); break;
      case StatisticsField::kMinValue: out.has_min = buffer.read(in, field, out.min); break;
      case StatisticsField::kNullCount: read_count(in, field, out.has_null_count, out.null_count); break;
      case StatisticsField::kNanCount: read_count(in, field, out.has_nan_count, out.nan_count); break;
      case StatisticsField::kDistinctCount:
        read_count(in, field, out.has_distinct_count, out.distinct_count);
        break;
      case StatisticsField::kIsMaxValueExact: max_exact.read(in, field); break;
      case StatisticsField::kIsMinValueExact: min_exact.read(in, field); break;
      default: in.skip(field); break;
    }
  }
  use_deprecated_bounds(old, out);
  out.min_exact = out.has_min && min_exact.resolve(fixed_width);
  out.max_exact = out.has_max && max_exact.resolve(fixed_width);
  return in.status();
}

// Verdicts on a range of values, by the bounds and by the deprecated bounds: false means that no value lies
// in the range.
struct BoundsVerdict {
  bool allowed;
  bool old_allowed;
};

// Compares the next statistics with a range. Bounds may be longer than any memory: `by_max` and `by_min`
// receive the field, whose length in.binary() returns, read or pass the bound, and return whether the range
// is possible. `take_nulls` receives the number of nulls.
template <typename ByMax, typename ByMin, typename TakeNulls>
[[gnu::always_inline]] inline BoundsVerdict compare_bounds(thrift::CompactReader& in, const ByMax& by_max,
                                                           const ByMin& by_min, const TakeNulls& take_nulls) {
  BoundsVerdict verdict{true, true};
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case StatisticsField::kMax: verdict.old_allowed &= by_max(field); break;
      case StatisticsField::kMin: verdict.old_allowed &= by_min(field); break;
      case StatisticsField::kMaxValue: verdict.allowed &= by_max(field); break;
      case StatisticsField::kMinValue: verdict.allowed &= by_min(field); break;
      case StatisticsField::kNullCount: take_nulls(in.count(field)); break;
      default: in.skip(field); break;
    }
  }
  return verdict;
}

}  // namespace microparquet::format
