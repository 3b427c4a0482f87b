#include "value_summary.h"

#include <cstring>
#include <string_view>

#include "value_order.h"

namespace microparquet::recovery {

namespace {

std::size_t stride_of(const SchemaElement& element) {
  return element.type == Type::kByteArray ? sizeof(std::string_view)
                                          : value_bytes(element.type, element.type_length);
}

void check_count(const char* name, bool has, std::uint64_t told, std::uint64_t found, bool whole,
                 std::vector<std::string>& result) {
  if (has && (told < found || (whole && told != found))) {
    result.push_back(std::string(name) + " says " + std::to_string(told) + ", the values " +
                     std::to_string(found));
  }
}

// The fields `min` and `max` that came before `min_value` and `max_value` were compared as signed.
bool order_is_doubtful(const SchemaElement& element, const ColumnStatistics& statistics) {
  const bool is_unsigned = element.logical.kind == LogicalKind::kInteger && !element.logical.is_signed;
  const bool bytes = element.type == Type::kByteArray || element.type == Type::kFixedLenByteArray;
  return statistics.deprecated && (is_unsigned || bytes);
}

}  // namespace

ValueSummary::ValueSummary(const SchemaElement& element)
    : element_(element), ordered_(has_order(element)), stride_(stride_of(element)) {
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

void ValueSummary::add_value(ByteView value) {
  if (!ordered_) {
    return;
  }
  if (is_nan(element_, value)) {
    ++nans_;
    return;
  }
  if (!any_ || compare(element_, value, min_) < 0) {
    min_.assign(value.begin(), value.end());
  }
  if (!any_ || compare(element_, value, max_) > 0) {
    max_.assign(value.begin(), value.end());
  }
  any_ = true;
}

// `sign` is -1 for the minimum: an inexact bound may lie beyond the values on its side.
void ValueSummary::check_bound(const char* name, bool has, ByteView bound, bool exact, const Bytes& found,
                               int sign, std::vector<std::string>& result) const {
  if (!has) {
    return;
  }
  const bool fixed = element_.type != Type::kByteArray && element_.type != Type::kFixedLenByteArray;
  const bool all_nan = !any_ && nans_ != 0;  // IEEE 754's total order has bounds of these, too
  if (all_nan && is_nan(element_, bound)) {
    return;
  }
  if ((fixed && bound.size() != stride_) || is_nan(element_, bound)) {
    result.push_back(std::string(name) + " is no bound of this type");
  } else if (!any_) {
    if (exact) {
      result.push_back(std::string(name) + " is said to be exact, but there is no value");
    }
  } else {
    const int order = compare(element_, bound, found) * sign;
    if (order < 0) {
      result.push_back(std::string(name) +
                       (sign < 0 ? " is above the smallest value" : " is below the largest value"));
    } else if (order > 0 && exact) {
      result.push_back(std::string(name) + " is said to be exact, but no value is equal to it");
    }
  }
}

std::vector<std::string> ValueSummary::contradictions(const ColumnStatistics& statistics, bool whole) const {
  std::vector<std::string> result;
  check_count("null_count", statistics.has_null_count, statistics.null_count, nulls_, whole, result);
  if (!ordered_) {
    return result;
  }
  check_count("nan_count", statistics.has_nan_count, statistics.nan_count, nans_, whole, result);
  if (!order_is_doubtful(element_, statistics)) {
    check_bound("min", statistics.has_min, statistics.min, statistics.min_exact && whole, min_, -1, result);
    check_bound("max", statistics.has_max, statistics.max, statistics.max_exact && whole, max_, 1, result);
  }
  return result;
}

}  // namespace microparquet::recovery
