#include "format/schema.h"

#include "format/fields.h"

namespace microparquet::format {
namespace {

using thrift::CompactType;
using thrift::CompactWriter;

// What each LogicalKind is in the file: the ConvertedType that older readers need, and the member of the union
// LogicalType (parquet.thrift names the pairs). Times in milliseconds; INT_8 for integers.
struct KindNumbers {
  std::int8_t converted;  // below 0: there is none
  std::int8_t member;     // 0: there is none
};
constexpr std::int8_t kNone = -1;
constexpr KindNumbers kNumbers[] = {
    {kNone, 0},                             // kNone
    {0, LogicalTypeField::kString},         // kString: UTF8
    {4, LogicalTypeField::kEnum},           // kEnum
    {19, LogicalTypeField::kJson},          // kJson
    {20, LogicalTypeField::kBson},          // kBson
    {kNone, LogicalTypeField::kUuid},       // kUuid
    {5, LogicalTypeField::kDecimal},        // kDecimal
    {6, LogicalTypeField::kDate},           // kDate
    {7, LogicalTypeField::kTime},           // kTime: TIME_MILLIS, then TIME_MICROS
    {9, LogicalTypeField::kTimestamp},      // kTimestamp: TIMESTAMP_MILLIS, then TIMESTAMP_MICROS
    {15, LogicalTypeField::kInteger},       // kInteger: INT_8 to INT_64; UINT_8 to UINT_64 stand 4 before
    {kNone, LogicalTypeField::kFloat16},    // kFloat16
    {21, 0},                                // kInterval: has a ConvertedType only
};

// Local times carry their ConvertedType too; nanoseconds have none.
int converted_type(const LogicalType& logical) {
  int converted = kNumbers[static_cast<unsigned>(logical.kind)].converted;
  if (logical.kind == LogicalKind::kTime || logical.kind == LogicalKind::kTimestamp) {
    if (logical.unit == TimeUnit::kNanos) return kNone;
    converted += static_cast<int>(logical.unit);
  }
  if (logical.kind == LogicalKind::kInteger) {
    if (!logical.is_signed) converted -= 4;
    for (unsigned bits = logical.bits; bits > 8; bits >>= 1) ++converted;
  }
  return converted;
}

void write_logical_type(CompactWriter& out, const LogicalType& logical) {
  const int member = kNumbers[static_cast<unsigned>(logical.kind)].member;
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
    out.field_bool(TimeTypeField::kIsAdjustedToUtc, logical.utc);
    out.field_struct(TimeTypeField::kUnit);
    out.field_empty_struct(TimeUnitField::kMillis + static_cast<int>(logical.unit));
    out.end_struct();
  }
  out.end_struct();
  out.end_struct();
}

void write_field(CompactWriter& out, const Field& field) {
  out.element_struct();
  out.field_i32(SchemaElementField::kType, static_cast<std::int32_t>(field.type));
  if (field.type == Type::kFixedLenByteArray) {
    out.field_i32(SchemaElementField::kTypeLength, static_cast<std::int32_t>(field.type_length));
  }
  out.field_i32(SchemaElementField::kRepetitionType, static_cast<std::int32_t>(field.repetition));
  out.field_string(SchemaElementField::kName, field.name);
  if (const int converted = converted_type(field.logical); converted >= 0) {
    out.field_i32(SchemaElementField::kConvertedType, converted);
  }
  if (field.logical.kind == LogicalKind::kDecimal) {
    out.field_i32(SchemaElementField::kScale, field.logical.scale);
    out.field_i32(SchemaElementField::kPrecision, field.logical.precision);
  }
  write_logical_type(out, field.logical);
  out.end_struct();
}

}  // namespace

void write_schema(CompactWriter& out, const detail::WriterState& state) {
  const Schema schema(state.fields, state.columns_count);
  const auto columns = static_cast<std::uint32_t>(schema.size());
  out.field_list(FileMetaDataField::kSchema, CompactType::kStruct, columns + 1);
  out.element_struct();
  out.field_string(SchemaElementField::kName, "schema");
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(columns));
  out.end_struct();
  for (const Field& field : schema) write_field(out, field);
}

}  // namespace microparquet::format
