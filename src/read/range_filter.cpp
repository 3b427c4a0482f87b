// Compares ranges with the statistics of a row group, by the order of each column's type (parquet.thrift,
// ColumnOrder).
#include <cstring>

#include "microparquet/filter.h"
#include "util/endian.h"
#include "util/try.h"

namespace microparquet {

namespace {

enum class Order : std::uint8_t {
  kNone,
  kBoolean,
  kInt32,
  kInt64,
  kUint32,
  kUint64,
  kFloat,
  kDouble,
  kFloat16,
  kBytes,
  kDecimal,
};

Order order_of_bytes(const SchemaElement& column) {
  switch (column.logical.kind) {
    case LogicalKind::kFloat16: return column.type_length == 2 ? Order::kFloat16 : Order::kNone;
    case LogicalKind::kDecimal: return Order::kDecimal;
    case LogicalKind::kInterval:
    case LogicalKind::kUnknown: return Order::kNone;
    default: return Order::kBytes;
  }
}

Order order_of(const SchemaElement& column) {
  if (column.logical.kind == LogicalKind::kUnknown) return Order::kNone;
  const bool is_unsigned = column.logical.kind == LogicalKind::kInteger && !column.logical.is_signed;
  switch (column.type) {
    case Type::kBoolean: return Order::kBoolean;
    case Type::kInt32: return is_unsigned ? Order::kUint32 : Order::kInt32;
    case Type::kInt64: return is_unsigned ? Order::kUint64 : Order::kInt64;
    case Type::kFloat: return Order::kFloat;
    case Type::kDouble: return Order::kDouble;
    case Type::kByteArray:
    case Type::kFixedLenByteArray: return order_of_bytes(column);
    case Type::kInt96: break;
  }
  return Order::kNone;
}

// The old fields `min` and `max` were compared as signed numbers by some writers and bytewise by others.
bool trusts_deprecated(Order order) {
  return order == Order::kBoolean || order == Order::kInt32 || order == Order::kInt64 ||
         order == Order::kFloat || order == Order::kDouble;
}

using Bytes = Span<const std::byte>;

// Compares a with b: below, equal or above; or not at all, as NaN and bounds of a wrong size.
enum class Comparison : std::uint8_t { kLess, kEqual, kGreater, kNot };

Comparison by_sign(int sign) {
  if (sign < 0) return Comparison::kLess;
  return sign == 0 ? Comparison::kEqual : Comparison::kGreater;
}

template <typename T>
Comparison compare_as(Bytes a, Bytes b) {
  if (a.size() != sizeof(T) || b.size() != sizeof(T)) return Comparison::kNot;
  const T left = util::load<T>(a.data());
  const T right = util::load<T>(b.data());
  if (left < right) return Comparison::kLess;
  if (left > right) return Comparison::kGreater;
  return left == right ? Comparison::kEqual : Comparison::kNot;
}

Comparison compare_bytes(Bytes a, Bytes b) {
  const std::size_t shorter = a.size() < b.size() ? a.size() : b.size();
  const int sign = shorter == 0 ? 0 : std::memcmp(a.data(), b.data(), shorter);
  if (sign != 0 || a.size() == b.size()) return by_sign(sign);
  return a.size() < b.size() ? Comparison::kLess : Comparison::kGreater;
}

// A half as a number that is ordered as it is: the two zeros are equal.
bool float16_key(Bytes bytes, int& key) {
  if (bytes.size() != 2) return false;
  const auto bits = util::load<std::uint16_t>(bytes.data());
  const int magnitude = bits & 0x7FFF;
  key = (bits & 0x8000) != 0 ? -magnitude : magnitude;
  return magnitude <= 0x7C00;
}

Comparison compare_float16(Bytes a, Bytes b) {
  int left = 0;
  int right = 0;
  if (!float16_key(a, left) || !float16_key(b, right)) return Comparison::kNot;
  return by_sign(left - right);
}

// Byte `place` from the right of a two's complement number of any length, its sign extended.
unsigned decimal_byte(Bytes number, std::size_t place) {
  if (place < number.size()) return static_cast<unsigned>(number[number.size() - 1 - place]);
  return (static_cast<unsigned>(number[0]) & 0x80) != 0 ? 0xFF : 0;
}

Comparison compare_decimal(Bytes a, Bytes b) {
  if (a.empty() || b.empty()) return Comparison::kNot;
  const std::size_t bytes = a.size() > b.size() ? a.size() : b.size();
  // With the sign bit turned over, two's complement is ordered as unsigned bytes.
  unsigned flip = 0x80;
  for (std::size_t place = bytes; place-- > 0; flip = 0) {
    const unsigned left = decimal_byte(a, place) ^ flip;
    const unsigned right = decimal_byte(b, place) ^ flip;
    if (left != right) return left < right ? Comparison::kLess : Comparison::kGreater;
  }
  return Comparison::kEqual;
}

Comparison compare(Order order, Bytes a, Bytes b) {
  switch (order) {
    case Order::kNone: break;
    case Order::kBoolean: return compare_as<std::uint8_t>(a, b);
    case Order::kInt32: return compare_as<std::int32_t>(a, b);
    case Order::kInt64: return compare_as<std::int64_t>(a, b);
    case Order::kUint32: return compare_as<std::uint32_t>(a, b);
    case Order::kUint64: return compare_as<std::uint64_t>(a, b);
    case Order::kFloat: return compare_as<float>(a, b);
    case Order::kDouble: return compare_as<double>(a, b);
    case Order::kFloat16: return compare_float16(a, b);
    case Order::kBytes: return compare_bytes(a, b);
    case Order::kDecimal: return compare_decimal(a, b);
  }
  return Comparison::kNot;
}

Bytes bytes_of(const Value& value) {
  const auto show = [](const auto& member) {
    return Bytes(reinterpret_cast<const std::byte*>(&member), sizeof member);
  };
  switch (value.type) {
    case Type::kBoolean: return show(value.boolean);
    case Type::kInt32: return show(value.int32);
    case Type::kInt64: return show(value.int64);
    case Type::kFloat: return show(value.float32);
    case Type::kDouble: return show(value.float64);
    default: return Bytes(reinterpret_cast<const std::byte*>(value.bytes.data()), value.bytes.size());
  }
}

bool may_hold(const ColumnRange& range, Order order, const ColumnStatistics& statistics) {
  if (statistics.deprecated && !trusts_deprecated(order)) return true;
  if (!range.lower.null && statistics.has_max &&
      compare(order, statistics.max, bytes_of(range.lower)) == Comparison::kLess) {
    return false;
  }
  return range.upper.null || !statistics.has_min ||
         compare(order, statistics.min, bytes_of(range.upper)) != Comparison::kGreater;
}

Status range_matches(Reader& reader, const ColumnRange& range, bool& match) {
  SchemaElement column;
  MICROPARQUET_TRY(reader.column_element(range.column, {}, column));
  const bool typed = (range.lower.null || range.lower.type == column.type) &&
                     (range.upper.null || range.upper.type == column.type);
  if (!typed) return Status::kInvalidArgument;
  std::byte bounds[64];
  ColumnStatistics statistics;
  MICROPARQUET_TRY(reader.column_statistics(range.column, bounds, statistics));
  const bool all_null = column.max_repetition_level == 0 && statistics.has_null_count &&
                        statistics.null_count == reader.row_group_rows();
  match = !all_null && may_hold(range, order_of(column), statistics);
  return Status::kOk;
}

}  // namespace

Status RangeFilter::may_match(Reader& reader, bool& match) const {
  match = true;
  for (const ColumnRange& range : ranges_) {
    MICROPARQUET_TRY(range_matches(reader, range, match));
    if (!match) break;
  }
  return Status::kOk;
}

}  // namespace microparquet
