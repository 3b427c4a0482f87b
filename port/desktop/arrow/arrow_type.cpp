#include "arrow_type.h"

#include <string>

namespace microparquet::desktop {

namespace {

constexpr std::uint32_t kDecimal128Bytes = 16;
constexpr std::uint32_t kDecimal256Bytes = 32;
constexpr std::uint32_t kMostDigits128 = 38;
constexpr std::uint32_t kMostDigits256 = 76;

void set(ArrowNode& node, std::string format, Conversion conversion, std::uint32_t width) {
  node.format = std::move(format);
  node.conversion = conversion;
  node.width = width;
}

void set_physical_type(const SchemaElement& element, ArrowNode& node) {
  switch (element.type) {
    case Type::kBoolean: return set(node, "b", Conversion::kBits, 1);
    case Type::kInt32: return set(node, "i", Conversion::kSame, 4);
    case Type::kInt64: return set(node, "l", Conversion::kSame, 8);
    case Type::kInt96: return set(node, "tsn:", Conversion::kInt96, 8);
    case Type::kFloat: return set(node, "f", Conversion::kSame, 4);
    case Type::kDouble: return set(node, "g", Conversion::kSame, 8);
    case Type::kByteArray: return set(node, "Z", Conversion::kBytes, 0);
    case Type::kFixedLenByteArray:
      return set(node, "w:" + std::to_string(element.type_length), Conversion::kSame, element.type_length);
  }
}

void set_integer(const SchemaElement& element, ArrowNode& node) {
  const LogicalType& logical = element.logical;
  const bool sign = logical.is_signed;
  if (element.type == Type::kInt64) {
    return set(node, sign ? "l" : "L", Conversion::kSame, 8);
  }
  if (element.type != Type::kInt32) {
    return;
  }
  switch (logical.bits) {
    case 8: return set(node, sign ? "c" : "C", Conversion::kNarrow, 1);
    case 16: return set(node, sign ? "s" : "S", Conversion::kNarrow, 2);
    default: return set(node, sign ? "i" : "I", Conversion::kSame, 4);
  }
}

void set_decimal(const SchemaElement& element, ArrowNode& node) {
  const LogicalType& logical = element.logical;
  const bool number = element.type == Type::kInt32 || element.type == Type::kInt64;
  const bool text = element.type == Type::kByteArray || element.type == Type::kFixedLenByteArray;
  const bool small = logical.precision <= kMostDigits128 && element.type_length <= kDecimal128Bytes;
  const std::uint32_t width = small ? kDecimal128Bytes : kDecimal256Bytes;
  if ((!number && !text) || logical.precision > kMostDigits256 || element.type_length > width) {
    return;
  }
  const std::string bits = small ? "" : ",256";
  set(node, "d:" + std::to_string(logical.precision) + "," + std::to_string(logical.scale) + bits,
      number ? Conversion::kDecimal : Conversion::kBigEndian, width);
}

// A letter for the unit.
char unit_of(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMillis: return 'm';
    case TimeUnit::kMicros: return 'u';
    case TimeUnit::kNanos: return 'n';
  }
  return 'u';
}

void set_time(const SchemaElement& element, ArrowNode& node) {
  const bool millis = element.logical.unit == TimeUnit::kMillis;
  if (element.type != (millis ? Type::kInt32 : Type::kInt64)) {
    return;
  }
  set(node, std::string("tt") + unit_of(element.logical.unit), Conversion::kSame, millis ? 4 : 8);
}

void set_timestamp(const SchemaElement& element, ArrowNode& node) {
  if (element.type != Type::kInt64) {
    return;
  }
  set(node, std::string("ts") + unit_of(element.logical.unit) + ':' + (element.logical.utc ? "UTC" : ""),
      Conversion::kSame, 8);
}

void set_text(const SchemaElement& element, ArrowNode& node) {
  if (element.type == Type::kByteArray) {
    set(node, "U", Conversion::kBytes, 0);
  }
}

}  // namespace

void set_type(const SchemaElement& element, ArrowNode& node) {
  node.file_width = value_bytes(element.type, element.type_length);
  set_physical_type(element, node);  // stays where the logical type does not fit it
  switch (element.logical.kind) {
    case LogicalKind::kString:
    case LogicalKind::kEnum:
    case LogicalKind::kJson: return set_text(element, node);
    case LogicalKind::kDecimal: return set_decimal(element, node);
    case LogicalKind::kDate:
      if (element.type == Type::kInt32) {
        set(node, "tdD", Conversion::kSame, 4);
      }
      return;
    case LogicalKind::kTime: return set_time(element, node);
    case LogicalKind::kTimestamp: return set_timestamp(element, node);
    case LogicalKind::kInteger: return set_integer(element, node);
    case LogicalKind::kFloat16:
      if (element.type == Type::kFixedLenByteArray && element.type_length == 2) {
        set(node, "e", Conversion::kSame, 2);
      }
      return;
    case LogicalKind::kNull: return set(node, "n", Conversion::kNone, 0);
    default: return;
  }
}

}  // namespace microparquet::desktop
