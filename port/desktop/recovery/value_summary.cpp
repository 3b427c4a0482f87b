#include "value_summary.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace microparquet::recovery {

namespace {

using detail::Comparison;
using detail::ValueOrder;

std::size_t stride_of(const SchemaElement& element) {
  return element.type == Type::kByteArray ? sizeof(std::string_view)
                                          : value_bytes(element.type, element.type_length);
}

// `most`: not less than `found`, where writers count differently.
void check_count(const char* name, bool has, std::uint64_t told, std::uint64_t found, std::uint64_t most,
                 bool whole, std::vector<std::string>& result) {
  if (has && (told < found || (whole && told > most))) {
    result.push_back(std::string(name) + " says " + std::to_string(told) + ", the values " +
                     std::to_string(found) + (most == found ? "" : " to " + std::to_string(most)));
  }
}

}  // namespace

ValueSummary::ValueSummary(const SchemaElement& element)
    : element_(element), order_(detail::order_of(element)), stride_(stride_of(element)) {
  element_.name = {};
}

void ValueSummary::add(const std::byte* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const value = values + i * stride_;
    if (element_.type == Type::kByteArray) {
      std::string_view text;
      std::memcpy(&text, value, sizeof(std::string_view));
      add_value({reinterpret_cast<const std::byte*>(text.data()), text.size()});
    } else {
      add_value({value, stride_});
    }
  }
}

// Each value is placed once, whatever the compiler makes of a comparison.
void ValueSummary::add_number(ByteView value) {
  std::int64_t place = 0;
  if (!detail::place_of_number(order_, value, place)) {
    nans_ += detail::has_nan(order_) ? 1U : 0U;
    return;
  }
  if (!any_ || place < place_of_min_) {
    place_of_min_ = place;
    min_.assign(value.begin(), value.end());
  }
  if (!any_ || place > place_of_max_) {
    place_of_max_ = place;
    max_.assign(value.begin(), value.end());
  }
  any_ = true;
}

void ValueSummary::add_value(ByteView value) {
  if (order_ == ValueOrder::kNone) {
    return;
  }
  if (order_ != ValueOrder::kBytes && order_ != ValueOrder::kDecimal) {
    add_number(value);
    return;
  }
  if (!detail::has_place(order_, value)) {
    return;
  }
  if (!any_ || detail::compare(order_, value, min_) == Comparison::kLess) {
    min_.assign(value.begin(), value.end());
  }
  if (!any_ || detail::compare(order_, value, max_) == Comparison::kGreater) {
    max_.assign(value.begin(), value.end());
  }
  any_ = true;
}

std::optional<std::uint64_t> ValueSummary::nans() const {
  return detail::has_nan(order_) ? std::optional(nans_) : std::nullopt;
}

ValueSummary::Bounds ValueSummary::bounds() const {
  Bounds bounds = {any_, min_, max_};
  if (any_ && detail::has_nan(order_)) {
    constexpr std::byte kSign{0x80};
    const auto is_zero = [](Bytes bytes) {
      bytes.back() &= ~kSign;
      return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
    };
    if (is_zero(min_)) {
      bounds.min.back() |= kSign;
    }
    if (is_zero(max_)) {
      bounds.max.back() &= ~kSign;
    }
  }
  return bounds;
}

// An inexact bound may lie beyond the values on its side, the `outer` one.
void ValueSummary::check_bound(const char* name, bool has, ByteView bound, bool exact, const Bytes& found,
                               Comparison outer, std::vector<std::string>& result) const {
  if (!has) {
    return;
  }
  const bool fits = detail::has_place(order_, bound);
  const bool all_nan = !any_ && nans_ != 0;  // IEEE 754's total order has bounds of these, too
  if (all_nan && !fits && bound.size() == stride_) {
    return;
  }
  if (!fits) {
    result.push_back(std::string(name) + " is no bound of this type");
  } else if (!any_) {
    if (exact) {
      result.push_back(std::string(name) + " is said to be exact, but there is no value");
    }
  } else {
    const Comparison order = detail::compare(order_, bound, found);
    if (order == Comparison::kEqual) {
      return;
    }
    if (order != outer) {
      result.push_back(std::string(name) + (outer == Comparison::kLess ? " is above the smallest value"
                                                                       : " is below the largest value"));
    } else if (exact) {
      result.push_back(std::string(name) + " is said to be exact, but no value is equal to it");
    }
  }
}

std::vector<std::string> ValueSummary::contradictions(const ColumnStatistics& statistics, bool whole) const {
  std::vector<std::string> result;
  check_count("null_count", statistics.has_null_count, statistics.null_count, nulls_, nulls_ + absent_, whole,
              result);
  if (order_ == ValueOrder::kNone) {
    return result;
  }
  check_count("nan_count", statistics.has_nan_count, statistics.nan_count, nans_, nans_, whole, result);
  if (!statistics.deprecated || detail::trusts_old_bounds(order_)) {
    check_bound("min", statistics.has_min, statistics.min, statistics.min_exact && whole, min_,
                Comparison::kLess, result);
    check_bound("max", statistics.has_max, statistics.max, statistics.max_exact && whole, max_,
                Comparison::kGreater, result);
  }
  return result;
}

namespace {

const BoundsTracker& numeric_bounds(const SchemaElement& element) {
  const bool is_unsigned = element.logical.kind == LogicalKind::kInteger && !element.logical.is_signed;
  switch (element.type) {
    case Type::kBoolean: return kBooleanBounds;
    case Type::kInt32: return is_unsigned ? kUint32Bounds : kInt32Bounds;
    case Type::kInt64: return is_unsigned ? kUint64Bounds : kInt64Bounds;
    case Type::kFloat: return kFloatBounds;
    case Type::kDouble: return kDoubleBounds;
    default: return kNoBounds;
  }
}

const BoundsTracker& bounds_of(const SchemaElement& element) {
  if (element.type != Type::kByteArray && element.type != Type::kFixedLenByteArray) {
    return numeric_bounds(element);
  }
  if (is_read_only(element.logical.kind)) {
    return kNoBounds;
  }
  switch (element.logical.kind) {
    case LogicalKind::kDecimal: return kDecimalBounds;
    case LogicalKind::kFloat16: return kFloat16Bounds;
    case LogicalKind::kInterval: return kNoBounds;
    default: return kBinaryBounds;
  }
}

const Encoder& plain(Type type) {
  switch (type) {
    case Type::kBoolean: return kPlainBoolean;
    case Type::kByteArray: return kPlainByteArray;
    default: return kPlainFixed;
  }
}

}  // namespace

Field written_field(const Leaf& leaf) {
  const SchemaElement& element = leaf.element;
  LogicalType logical = element.logical;
  if (is_read_only(logical.kind)) {
    logical = {};  // the footer's own schema says what it is
  }
  const Field field = make_field(leaf.name, element.type, logical, plain(element.type), bounds_of(element),
                                 element.type_length);
  return element.repetition == Repetition::kOptional ? field.as_optional() : field;
}

}  // namespace microparquet::recovery
