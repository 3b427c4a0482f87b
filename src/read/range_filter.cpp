// Compares ranges with the statistics of a row group, as they come out of the footer: bounds of any length in
// little memory.
#include "base/endian.h"
#include "base/try.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/filter.h"
#include "read/chunk.h"
#include "thrift/compact_reader.h"

namespace microparquet {

namespace {

using detail::ValueOrder;

ValueOrder order_of_bytes(const SchemaElement& column) {
  switch (column.logical.kind) {
    case LogicalKind::kFloat16: return column.type_length == 2 ? ValueOrder::kFloat16 : ValueOrder::kNone;
    case LogicalKind::kDecimal: return ValueOrder::kDecimal;
    case LogicalKind::kInterval: return ValueOrder::kNone;
    default: return ValueOrder::kBytes;
  }
}

ValueOrder order_of(const SchemaElement& column) {
  if (is_read_only(column.logical.kind)) return ValueOrder::kNone;
  const bool is_unsigned = column.logical.kind == LogicalKind::kInteger && !column.logical.is_signed;
  switch (column.type) {
    case Type::kBoolean: return ValueOrder::kBoolean;
    case Type::kInt32: return is_unsigned ? ValueOrder::kUint32 : ValueOrder::kInt32;
    case Type::kInt64: return is_unsigned ? ValueOrder::kUint64 : ValueOrder::kInt64;
    case Type::kFloat: return ValueOrder::kFloat;
    case Type::kDouble: return ValueOrder::kDouble;
    case Type::kByteArray:
    case Type::kFixedLenByteArray: return order_of_bytes(column);
    case Type::kInt96: break;
  }
  return ValueOrder::kNone;
}

// The old fields `min` and `max` were compared as signed numbers by some writers and bytewise by others.
bool trusts_old_fields(ValueOrder order) {
  return order == ValueOrder::kBoolean || order == ValueOrder::kInt32 || order == ValueOrder::kInt64 ||
         order == ValueOrder::kFloat || order == ValueOrder::kDouble;
}

using Bytes = Span<const std::byte>;

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

// How a bound of the statistics compares with a value: below, equal, above; or not at all, as NaN or of a
// wrong size.
enum class Comparison : std::uint8_t { kLess, kEqual, kGreater, kNot };

template <typename T>
Comparison compare(T bound, T value) {
  if (bound < value) return Comparison::kLess;
  if (bound > value) return Comparison::kGreater;
  return bound == value ? Comparison::kEqual : Comparison::kNot;
}

template <typename T>
Comparison compare_as(thrift::CompactReader& in, std::uint32_t bytes, Bytes value) {
  if (bytes != sizeof(T) || value.size() != sizeof(T)) {
    in.pass(bytes);
    return Comparison::kNot;
  }
  T bound = {};
  in.copy(&bound, sizeof bound);
  return compare(bound, util::load<T>(value.data()));
}

// A half as a number that is ordered as it is, the two zeros equal; false for NaN.
bool float16_key(std::uint16_t bits, int& key) {
  const int magnitude = bits & 0x7FFF;
  key = (bits & 0x8000) != 0 ? -magnitude : magnitude;
  return magnitude <= 0x7C00;
}

Comparison compare_float16(thrift::CompactReader& in, std::uint32_t bytes, Bytes value) {
  std::uint16_t bits = 0;
  int bound_key = 0;
  int value_key = 0;
  if (bytes != sizeof bits || value.size() != sizeof bits) {
    in.pass(bytes);
    return Comparison::kNot;
  }
  in.copy(&bits, sizeof bits);
  const bool numbers =
      float16_key(bits, bound_key) && float16_key(util::load<std::uint16_t>(value.data()), value_key);
  return numbers ? compare(bound_key, value_key) : Comparison::kNot;
}

unsigned next_byte(thrift::CompactReader& in) {
  std::uint8_t byte = 0;
  in.copy(&byte, 1);
  return byte;
}

Comparison compare_bytes(thrift::CompactReader& in, std::uint32_t bytes, Bytes value) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const unsigned byte = next_byte(in);
    const bool beyond = i == value.size();
    if (!beyond && byte == static_cast<unsigned>(value[i])) continue;
    in.pass(bytes - i - 1);
    return beyond || byte > static_cast<unsigned>(value[i]) ? Comparison::kGreater : Comparison::kLess;
  }
  return bytes == value.size() ? Comparison::kEqual : Comparison::kLess;
}

// Numbers in two's complement, big-endian, of any lengths: the shorter one's sign is extended. With the sign
// bit turned over they are ordered as unsigned bytes.
Comparison compare_decimal(thrift::CompactReader& in, std::uint32_t bytes, Bytes value) {
  if (bytes == 0 || value.empty()) {
    in.pass(bytes);
    return Comparison::kNot;
  }
  const unsigned first = next_byte(in);
  const unsigned bound_sign = (first & 0x80) != 0 ? 0xFF : 0;
  const unsigned value_sign = (static_cast<unsigned>(value[0]) & 0x80) != 0 ? 0xFF : 0;
  unsigned flip = 0x80;
  for (std::size_t place = bytes > value.size() ? bytes : value.size(); place-- > 0; flip = 0) {
    unsigned left = bound_sign;
    if (place < bytes) left = place == bytes - 1 ? first : next_byte(in);
    const unsigned right =
        place < value.size() ? static_cast<unsigned>(value[value.size() - 1 - place]) : value_sign;
    if (left == right) continue;
    in.pass(place < bytes ? place : bytes - 1);
    return (left ^ flip) < (right ^ flip) ? Comparison::kLess : Comparison::kGreater;
  }
  return Comparison::kEqual;
}

// Compares the bound that is next in the input, and passes it.
Comparison compare_next(thrift::CompactReader& in, std::uint32_t bytes, ValueOrder order, Bytes value) {
  switch (order) {
    case ValueOrder::kNone: break;
    case ValueOrder::kBoolean: return compare_as<std::uint8_t>(in, bytes, value);
    case ValueOrder::kInt32: return compare_as<std::int32_t>(in, bytes, value);
    case ValueOrder::kInt64: return compare_as<std::int64_t>(in, bytes, value);
    case ValueOrder::kUint32: return compare_as<std::uint32_t>(in, bytes, value);
    case ValueOrder::kUint64: return compare_as<std::uint64_t>(in, bytes, value);
    case ValueOrder::kFloat: return compare_as<float>(in, bytes, value);
    case ValueOrder::kDouble: return compare_as<double>(in, bytes, value);
    case ValueOrder::kFloat16: return compare_float16(in, bytes, value);
    case ValueOrder::kBytes: return compare_bytes(in, bytes, value);
    case ValueOrder::kDecimal: return compare_decimal(in, bytes, value);
  }
  in.pass(bytes);
  return Comparison::kNot;
}

// Whether the bound that is next leaves the range possible: no maximum below it, no minimum above it.
bool bound_allows(thrift::CompactReader& in, const thrift::FieldHeader& field, ValueOrder order,
                  const Value& end, Comparison outside) {
  const std::uint32_t bytes = in.binary(field);
  if (!end.null) return compare_next(in, bytes, order, bytes_of(end)) != outside;
  in.pass(bytes);
  return true;
}

// Reads the Statistics that are next in the input.
bool may_hold(thrift::CompactReader& in, const ColumnRange& range, std::uint64_t rows) {
  bool any_value = true;
  bool allowed = true;
  bool old_allowed = true;
  const auto by_max = [&](const thrift::FieldHeader& field) {
    return bound_allows(in, field, range.order, range.lower, Comparison::kLess);
  };
  const auto by_min = [&](const thrift::FieldHeader& field) {
    return bound_allows(in, field, range.order, range.upper, Comparison::kGreater);
  };
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case format::StatisticsField::kMax: old_allowed &= by_max(field); break;
      case format::StatisticsField::kMin: old_allowed &= by_min(field); break;
      case format::StatisticsField::kMaxValue: allowed &= by_max(field); break;
      case format::StatisticsField::kMinValue: allowed &= by_min(field); break;
      case format::StatisticsField::kNullCount: {
        const std::uint64_t nulls = in.count(field);
        if (rows != 0 && nulls == rows) any_value = false;
        break;
      }
      default: in.skip(field); break;
    }
  }
  return any_value && (range.type_order ? allowed : old_allowed || !trusts_old_fields(range.order));
}

Status range_matches(detail::ReaderState& state, const ColumnRange& range, bool& match) {
  MICROPARQUET_TRY(read::find_chunk(state, range.column));
  if (state.chunk.statistics_begin == 0) return Status::kOk;
  state.footer.seek(state.chunk.statistics_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  // A null may be in the middle of a repeated value's rows: there its count says nothing.
  const bool flat = state.leaves[range.column].max_repetition == 0;
  match = may_hold(in, range, flat ? state.group_rows : 0);
  return in.status();
}

// Whether FileMetaData.column_orders says TYPE_ORDER of the column. Of a list that is not one of the columns
// nothing is believed.
Status find_type_order(detail::ReaderState& state, std::uint32_t column, bool& type_order) {
  type_order = false;
  if (state.column_orders_begin == 0) return Status::kOk;
  state.footer.seek(state.column_orders_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  thrift::FieldHeader list;
  list.type = thrift::CompactType::kList;
  if (in.list(list, thrift::CompactType::kStruct) != state.leaf_count) return in.status();
  for (std::uint32_t i = 0; i < column && in.ok(); ++i) in.skip_element(thrift::CompactType::kStruct);
  thrift::FieldHeader order;
  if (in.next(order)) type_order = order.id == format::ColumnOrderField::kTypeOrder;
  return in.status();
}

}  // namespace

Status make_range(Reader& reader, std::uint32_t column, const Value& lower, const Value& upper,
                  ColumnRange& range) {
  SchemaElement element;
  MICROPARQUET_TRY(reader.column_element(column, {}, element));
  const bool typed = (lower.null || lower.type == element.type) && (upper.null || upper.type == element.type);
  if (!typed) return Status::kInvalidArgument;
  range = {column, lower, upper, order_of(element)};
  return find_type_order(detail::ReaderAccess::state(reader), column, range.type_order);
}

Status RangeFilter::may_match(Reader& reader, bool& match) const {
  match = true;
  for (const ColumnRange& range : ranges_) {
    MICROPARQUET_TRY(range_matches(detail::ReaderAccess::state(reader), range, match));
    if (!match) break;
  }
  return Status::kOk;
}

}  // namespace microparquet
