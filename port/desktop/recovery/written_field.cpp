#include "written_field.h"

namespace microparquet::recovery {

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
