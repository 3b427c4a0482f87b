#include "joined_type.h"

#include <string>

#include "lake_columns.h"
#include "microparquet/schema.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::Field;
using mpq::LogicalKind;
using mpq::SchemaElement;
using mpq::Type;

SchemaElement element_of(const Field& field) {
  SchemaElement element;
  element.leaf = true;
  element.depth = 1;
  element.type = field.type;
  element.type_length = field.type_length;
  element.logical = field.logical;
  return element;
}

bool is_same_type(const SchemaElement& a, const SchemaElement& b) {
  return type_text(a) == type_text(b) && a.type == b.type && a.type_length == b.type_length;
}

// The type that type_text() calls `text`, of those that wider_type() makes of others.
SchemaElement element_called(const std::string& text) {
  for (const std::uint8_t bits : {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}, std::uint8_t{64}}) {
    if (text == "uint" + std::to_string(bits)) {
      return element_of(mpq::integer_field("", bits, false));
    }
    if (text == "int" + std::to_string(bits)) {
      return element_of(bits < 32    ? mpq::integer_field("", bits, true)
                        : bits == 32 ? mpq::int32_field("")
                                     : mpq::int64_field(""));
    }
  }
  return element_of(text == "double" ? mpq::double_field("") : mpq::string_field(""));
}

// Decimals of the same digits, stored otherwise.
SchemaElement wider_decimal(const SchemaElement& a, const SchemaElement& b) {
  const auto is_integer = [](const SchemaElement& each) {
    return each.type == Type::kInt32 || each.type == Type::kInt64;
  };
  const mpq::LogicalType& logical = a.logical;
  return element_of(is_integer(a) && is_integer(b)
                        ? mpq::decimal64_field("", logical.precision, logical.scale)
                        : mpq::decimal_binary_field("", logical.precision, logical.scale));
}

bool is_bare(const SchemaElement& element) {
  return element.logical.kind == LogicalKind::kNone &&
         (element.type == Type::kByteArray || element.type == Type::kFixedLenByteArray);
}

}  // namespace

SchemaElement joined_type(const SchemaElement& a, const SchemaElement& b) {
  if (is_same_type(a, b) || b.logical.kind == LogicalKind::kNull) {
    return a;
  }
  if (a.logical.kind == LogicalKind::kNull) {
    return b;
  }
  const std::string text = type_text(a);
  if (text == type_text(b)) {
    return a.logical.kind == LogicalKind::kDecimal ? wider_decimal(a, b) : a;
  }
  if (is_bare(a) && is_bare(b)) {
    return element_of(mpq::byte_array_field(""));
  }
  if (a.logical.kind == LogicalKind::kTime && b.logical.kind == LogicalKind::kTime &&
      a.logical.utc == b.logical.utc) {
    return a.logical.unit < b.logical.unit ? b : a;
  }
  const std::string wider = wider_type(text, type_text(b));
  return wider == text ? a : wider == type_text(b) ? b : element_called(wider);
}

}  // namespace mpq_tool
