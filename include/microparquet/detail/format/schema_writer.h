// A column in the footer's schema (parquet.thrift, SchemaElement).
#pragma once

#include <cstdint>

#include "microparquet/detail/format/constant_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/schema.h"

namespace microparquet::format {

// Numbers of each LogicalKind in the file: the ConvertedType that older readers need, and the member of the
// union LogicalType (parquet.thrift names the pairs). Times in milliseconds; INT_8 for integers.
struct KindNumbers {
  std::int8_t converted;  // below 0: there is none
  std::int8_t member;     // 0: there is none
};
inline constexpr std::int8_t kNoConvertedType = -1;
inline constexpr KindNumbers kKindNumbers[] = {
    {kNoConvertedType, 0},                        // kNone
    {0, LogicalTypeField::kString},               // kString: UTF8
    {4, LogicalTypeField::kEnum},                 // kEnum
    {19, LogicalTypeField::kJson},                // kJson
    {20, LogicalTypeField::kBson},                // kBson
    {kNoConvertedType, LogicalTypeField::kUuid},  // kUuid
    {5, LogicalTypeField::kDecimal},              // kDecimal
    {6, LogicalTypeField::kDate},                 // kDate
    {7, LogicalTypeField::kTime},                 // kTime: TIME_MILLIS, then TIME_MICROS
    {9, LogicalTypeField::kTimestamp},            // kTimestamp: TIMESTAMP_MILLIS, then TIMESTAMP_MICROS
    {15, LogicalTypeField::kInteger},             // kInteger: INT_8 to INT_64; UINT_8 to UINT_64 are 4 lower
    {kNoConvertedType, LogicalTypeField::kFloat16},  // kFloat16
    {21, 0},                                         // kInterval: only a ConvertedType
};

// Returns the ConvertedType. Local times have one too; nanoseconds have none.
constexpr int converted_type(const LogicalType& logical) {
  int converted = kKindNumbers[static_cast<unsigned>(logical.kind)].converted;
  if (logical.kind == LogicalKind::kTime || logical.kind == LogicalKind::kTimestamp) {
    if (logical.unit == TimeUnit::kNanos) return kNoConvertedType;
    converted += static_cast<int>(logical.unit);
  }
  if (logical.kind == LogicalKind::kInteger) {
    if (!logical.is_signed) converted -= 4;
    for (unsigned bits = logical.bits; bits > 8; bits >>= 1) ++converted;
  }
  return converted;
}

constexpr void write_logical_type(ConstantWriter& out, const LogicalType& logical) {
  const int member = kKindNumbers[static_cast<unsigned>(logical.kind)].member;
  if (member == 0) return;
  out.field_struct(SchemaElementField::kLogicalType);
  out.field_struct(member);
  if (member == LogicalTypeField::kDecimal) {
    out.field_i32(DecimalTypeField::kScale, logical.scale);
    out.field_i32(DecimalTypeField::kPrecision, logical.precision);
  } else if (member == LogicalTypeField::kInteger) {
    out.field_byte(IntTypeField::kBitWidth, logical.bits);
    out.field_bool(IntTypeField::kIsSigned, logical.is_signed);
  } else if (member == LogicalTypeField::kTime || member == LogicalTypeField::kTimestamp) {
    const int unit = TimeUnitField::kMillis + static_cast<int>(logical.unit);
    out.field_bool(TimeTypeField::kIsAdjustedToUtc, logical.utc);
    out.field_struct(TimeTypeField::kUnit);
    out.field_struct(unit);
    out.end_struct(unit);
    out.end_struct(TimeTypeField::kUnit);
  }
  out.end_struct(member);
  out.end_struct(SchemaElementField::kLogicalType);
}

// Writes the element up to its name.
constexpr void begin_schema_element(ConstantWriter& out, const Field& field) {
  out.element_struct();
  out.field_i32(SchemaElementField::kType, static_cast<std::int32_t>(field.type));
  if (field.type == Type::kFixedLenByteArray) {
    out.field_i32(SchemaElementField::kTypeLength, static_cast<std::int32_t>(field.type_length));
  }
  out.field_i32(SchemaElementField::kRepetitionType, static_cast<std::int32_t>(field.repetition));
}

// Writes the element after its name.
constexpr void end_schema_element(ConstantWriter& out, const Field& field) {
  if (const int converted = converted_type(field.logical); converted >= 0) {
    out.field_i32(SchemaElementField::kConvertedType, converted);
  }
  if (field.logical.kind == LogicalKind::kDecimal) {
    out.field_i32(SchemaElementField::kScale, field.logical.scale);
    out.field_i32(SchemaElementField::kPrecision, field.logical.precision);
  }
  write_logical_type(out, field.logical);
  out.end_struct(FileMetaDataField::kSchema);
}

}  // namespace microparquet::format
