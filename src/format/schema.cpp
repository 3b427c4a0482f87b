#include "format/schema.h"

#include "format/fields.h"

namespace microparquet::format {
namespace {

using thrift::CompactType;
using thrift::CompactWriter;

constexpr int kNoConvertedType = -1;

// The number of parquet.thrift's ConvertedType that older readers need beside the logical type. Local times
// carry it too. parquet.thrift, union LogicalType, names the pairs.
int converted_type(const LogicalType& logical) {
  constexpr int kUint8 = 11;
  constexpr int kInt8 = 15;
  switch (logical.kind) {
    case LogicalKind::kString: return 0;
    case LogicalKind::kEnum: return 4;
    case LogicalKind::kDecimal: return 5;
    case LogicalKind::kDate: return 6;
    case LogicalKind::kTime:
      return logical.unit == TimeUnit::kMillis ? 7 : logical.unit == TimeUnit::kMicros ? 8 : kNoConvertedType;
    case LogicalKind::kTimestamp:
      return logical.unit == TimeUnit::kMillis ? 9 : logical.unit == TimeUnit::kMicros ? 10 : kNoConvertedType;
    case LogicalKind::kInteger: {
      int step = 0;  // 8, 16, 32, 64 bits are 0, 1, 2, 3
      for (unsigned bits = logical.bits; bits > 8; bits >>= 1) ++step;
      return (logical.is_signed ? kInt8 : kUint8) + step;
    }
    case LogicalKind::kJson: return 19;
    case LogicalKind::kBson: return 20;
    case LogicalKind::kInterval: return 21;
    case LogicalKind::kNone:
    case LogicalKind::kUuid:
    case LogicalKind::kFloat16:
    case LogicalKind::kUnknown: return kNoConvertedType;
  }
  return kNoConvertedType;
}

// The member of the union that has no fields of its own, or 0.
int plain_member(LogicalKind kind) {
  switch (kind) {
    case LogicalKind::kString: return LogicalTypeField::kString;
    case LogicalKind::kEnum: return LogicalTypeField::kEnum;
    case LogicalKind::kDate: return LogicalTypeField::kDate;
    case LogicalKind::kJson: return LogicalTypeField::kJson;
    case LogicalKind::kBson: return LogicalTypeField::kBson;
    case LogicalKind::kUuid: return LogicalTypeField::kUuid;
    case LogicalKind::kFloat16: return LogicalTypeField::kFloat16;
    default: return 0;
  }
}

void write_time(CompactWriter& out, const LogicalType& logical) {
  out.field_struct(logical.kind == LogicalKind::kTime ? LogicalTypeField::kTime : LogicalTypeField::kTimestamp);
  out.field_bool(TimeTypeField::kIsAdjustedToUtc, logical.utc);
  out.field_struct(TimeTypeField::kUnit);
  out.field_empty_struct(TimeUnitField::kMillis + static_cast<int>(logical.unit));
  out.end_struct();
  out.end_struct();
}

void write_logical_type(CompactWriter& out, const LogicalType& logical) {
  // INTERVAL has a ConvertedType only.
  if (logical.kind == LogicalKind::kNone || logical.kind == LogicalKind::kInterval) return;
  out.field_struct(SchemaElementField::kLogicalType);
  if (const int member = plain_member(logical.kind); member != 0) {
    out.field_empty_struct(member);
  } else if (logical.kind == LogicalKind::kDecimal) {
    out.field_struct(LogicalTypeField::kDecimal);
    out.field_i32(DecimalTypeField::kScale, logical.scale);
    out.field_i32(DecimalTypeField::kPrecision, logical.precision);
    out.end_struct();
  } else if (logical.kind == LogicalKind::kInteger) {
    out.field_struct(LogicalTypeField::kInteger);
    out.field_byte(IntTypeField::kBitWidth, logical.bits);
    out.field_bool(IntTypeField::kIsSigned, logical.is_signed);
    out.end_struct();
  } else {
    write_time(out, logical);
  }
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
  if (const int converted = converted_type(field.logical); converted != kNoConvertedType) {
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

void write_schema(CompactWriter& out, Schema schema) {
  const auto columns = static_cast<std::uint32_t>(schema.size());
  out.field_list(FileMetaDataField::kSchema, CompactType::kStruct, columns + 1);
  out.element_struct();
  out.field_string(SchemaElementField::kName, "schema");
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(columns));
  out.end_struct();
  for (const Field& field : schema) write_field(out, field);
}

}  // namespace microparquet::format
