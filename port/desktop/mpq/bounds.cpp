#include "bounds.h"

#include <algorithm>
#include <cstring>

#include "value_text.h"

namespace mpq_tool {

namespace {

using microparquet::ColumnChunkInfo;
using microparquet::ColumnStatistics;
using microparquet::LogicalKind;
using microparquet::SchemaElement;
using microparquet::Span;
using microparquet::Type;
using Bytes = Span<const std::byte>;

template <typename T>
int compare_numbers(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

template <typename T>
int compare_as(Bytes a, Bytes b) {
  T x = {};
  T y = {};
  return microparquet::bound_as(a, x) && microparquet::bound_as(b, y) ? compare_numbers(x, y) : 0;
}

int compare_bytes(Bytes a, Bytes b) {
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  return order != 0 ? order : compare_numbers(a.size(), b.size());
}

// Two's complement, big-endian, of any lengths.
int compare_decimals(Bytes a, Bytes b) {
  const auto negative = [](Bytes value) {
    return !value.empty() && (value[0] & std::byte{0x80}) != std::byte{0};
  };
  if (negative(a) != negative(b)) {
    return negative(a) ? -1 : 1;
  }
  const std::byte extension = negative(a) ? std::byte{0xFF} : std::byte{0};
  const std::size_t size = std::max(a.size(), b.size());
  const auto byte_at = [&](Bytes value, std::size_t i) {
    const std::size_t missing = size - value.size();
    return i < missing ? extension : value[i - missing];
  };
  for (std::size_t i = 0; i < size; ++i) {
    if (byte_at(a, i) != byte_at(b, i)) {
      return byte_at(a, i) < byte_at(b, i) ? -1 : 1;
    }
  }
  return 0;
}

// By the order that the format defines for the type.
int compare(const SchemaElement& element, Bytes a, Bytes b) {
  const bool is_unsigned = element.logical.kind == LogicalKind::kInteger && !element.logical.is_signed;
  switch (element.type) {
    case Type::kBoolean: return compare_as<std::uint8_t>(a, b);
    case Type::kInt32: return is_unsigned ? compare_as<std::uint32_t>(a, b) : compare_as<std::int32_t>(a, b);
    case Type::kInt64: return is_unsigned ? compare_as<std::uint64_t>(a, b) : compare_as<std::int64_t>(a, b);
    case Type::kFloat: return compare_as<float>(a, b);
    case Type::kDouble: return compare_as<double>(a, b);
    default: break;
  }
  if (element.logical.kind == LogicalKind::kDecimal) {
    return compare_decimals(a, b);
  }
  if (element.logical.kind == LogicalKind::kFloat16 && a.size() == 2 && b.size() == 2) {
    return compare_numbers(float16_value(a), float16_value(b));
  }
  return compare_bytes(a, b);
}

bool has_order(const SchemaElement& element) {
  return element.type != Type::kInt96 && element.logical.kind != LogicalKind::kInterval &&
         element.logical.kind != LogicalKind::kUnknown;
}

}  // namespace

void ColumnSummary::add(const ColumnChunkInfo& chunk, const ColumnStatistics& statistics) {
  bytes_ += chunk.compressed_bytes;
  encodings_ |= chunk.encodings;
  codecs_ |= 1u << static_cast<unsigned>(chunk.codec);
  if (nulls_ && statistics.has_null_count) {
    *nulls_ += statistics.null_count;
  } else if (element_.max_definition_level != 0) {
    nulls_.reset();
  }
  const bool all_null = statistics.has_null_count && statistics.null_count == chunk.values;
  if (all_null) {
    return;
  }
  const bool usable = has_order(element_) && !order_is_doubtful(statistics);
  add_bound(min_, min_untold_, usable && statistics.has_min, statistics.min, -1);
  add_bound(max_, max_untold_, usable && statistics.has_max, statistics.max, 1);
}

// The fields `min` and `max` that came before `min_value` and `max_value` were compared as signed.
bool ColumnSummary::order_is_doubtful(const ColumnStatistics& statistics) const {
  const bool is_unsigned = element_.logical.kind == LogicalKind::kInteger && !element_.logical.is_signed;
  const bool bytes = element_.type == Type::kByteArray || element_.type == Type::kFixedLenByteArray;
  return statistics.deprecated && (is_unsigned || bytes);
}

void ColumnSummary::add_bound(std::optional<Bound>& bound, bool& untold, bool told, Bytes value,
                              int sign) const {
  if (!told || untold) {
    untold = true;
    bound.reset();
    return;
  }
  if (!bound || compare(element_, value, *bound) * sign > 0) {
    bound = Bound(value.begin(), value.end());
  }
}

}  // namespace mpq_tool
