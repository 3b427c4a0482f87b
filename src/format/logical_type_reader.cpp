#include "format/logical_type_reader.h"

#include "microparquet/detail/format/fields.h"

namespace microparquet::format {

namespace {

std::uint8_t small(std::int32_t value) {
  return value >= 0 && value <= 255 ? static_cast<std::uint8_t>(value) : 0;
}

void read_decimal(thrift::CompactReader& in, LogicalType& logical) {
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case DecimalTypeField::kScale: logical.scale = small(in.i32(field)); break;
      case DecimalTypeField::kPrecision: logical.precision = small(in.i32(field)); break;
      default: in.skip(field); break;
    }
  }
}

void read_unit(thrift::CompactReader& in, LogicalType& logical) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == TimeUnitField::kMillis) logical.unit = TimeUnit::kMillis;
    if (field.id == TimeUnitField::kMicros) logical.unit = TimeUnit::kMicros;
    if (field.id == TimeUnitField::kNanos) logical.unit = TimeUnit::kNanos;
    in.skip(field);
  }
}

void read_time(thrift::CompactReader& in, LogicalType& logical) {
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case TimeTypeField::kIsAdjustedToUtc: logical.utc = in.boolean(field); break;
      case TimeTypeField::kUnit:
        in.begin_struct(field);
        read_unit(in, logical);
        break;
      default: in.skip(field); break;
    }
  }
}

void read_integer(thrift::CompactReader& in, LogicalType& logical) {
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case IntTypeField::kBitWidth: logical.bits = small(in.i32(field)); break;
      case IntTypeField::kIsSigned: logical.is_signed = in.boolean(field); break;
      default: in.skip(field); break;
    }
  }
}

LogicalKind kind_of(int field) {
  switch (field) {
    case LogicalTypeField::kString: return LogicalKind::kString;
    case LogicalTypeField::kEnum: return LogicalKind::kEnum;
    case LogicalTypeField::kDecimal: return LogicalKind::kDecimal;
    case LogicalTypeField::kDate: return LogicalKind::kDate;
    case LogicalTypeField::kTime: return LogicalKind::kTime;
    case LogicalTypeField::kTimestamp: return LogicalKind::kTimestamp;
    case LogicalTypeField::kInteger: return LogicalKind::kInteger;
    case LogicalTypeField::kJson: return LogicalKind::kJson;
    case LogicalTypeField::kBson: return LogicalKind::kBson;
    case LogicalTypeField::kUuid: return LogicalKind::kUuid;
    case LogicalTypeField::kFloat16: return LogicalKind::kFloat16;
    case LogicalTypeField::kNull: return LogicalKind::kNull;
    case LogicalTypeField::kList: return LogicalKind::kList;
    case LogicalTypeField::kMap: return LogicalKind::kMap;
    case LogicalTypeField::kVariant: return LogicalKind::kVariant;
    case LogicalTypeField::kGeometry: return LogicalKind::kGeometry;
    case LogicalTypeField::kGeography: return LogicalKind::kGeography;
    default: return LogicalKind::kUnknown;
  }
}

LogicalType of_kind(LogicalKind kind) {
  LogicalType logical;
  logical.kind = kind;
  return logical;
}

LogicalType time_of(LogicalKind kind, TimeUnit unit) {
  LogicalType logical = of_kind(kind);
  logical.unit = unit;
  return logical;
}

// Converts parquet.thrift's ConvertedType from UINT_8 on: unsigned, then signed, each with 8, 16, 32 and 64
// bits.
LogicalType integer_of(std::int32_t converted_type) {
  constexpr std::int32_t kUint8 = 11;
  const auto place = static_cast<unsigned>(converted_type - kUint8);
  LogicalType logical = of_kind(LogicalKind::kInteger);
  logical.bits = static_cast<std::uint8_t>(8U << (place & 3));
  logical.is_signed = place >= 4;
  return logical;
}

}  // namespace

LogicalType read_logical_type(thrift::CompactReader& in) {
  LogicalType logical;
  for (thrift::FieldHeader field; in.next(field);) {
    logical.kind = kind_of(field.id);
    if (logical.kind == LogicalKind::kUnknown) {
      in.skip(field);
      continue;
    }
    in.begin_struct(field);
    switch (logical.kind) {
      case LogicalKind::kDecimal: read_decimal(in, logical); break;
      case LogicalKind::kTime:
      case LogicalKind::kTimestamp: read_time(in, logical); break;
      case LogicalKind::kInteger: read_integer(in, logical); break;
      default: in.skip(field); break;
    }
  }
  return logical;
}

LogicalType from_converted_type(std::int32_t converted_type, std::int32_t precision, std::int32_t scale) {
  switch (converted_type) {
    case -1: return {};
    case 0: return of_kind(LogicalKind::kString);
    case 1:  // MAP, or MAP_KEY_VALUE, which some writers use instead
    case 2: return of_kind(LogicalKind::kMap);
    case 3: return of_kind(LogicalKind::kList);
    case 4: return of_kind(LogicalKind::kEnum);
    case 5: {
      LogicalType logical = of_kind(LogicalKind::kDecimal);
      logical.precision = small(precision);
      logical.scale = small(scale);
      return logical;
    }
    case 6: return of_kind(LogicalKind::kDate);
    case 7: return time_of(LogicalKind::kTime, TimeUnit::kMillis);
    case 8: return time_of(LogicalKind::kTime, TimeUnit::kMicros);
    case 9: return time_of(LogicalKind::kTimestamp, TimeUnit::kMillis);
    case 10: return time_of(LogicalKind::kTimestamp, TimeUnit::kMicros);
    case 19: return of_kind(LogicalKind::kJson);
    case 20: return of_kind(LogicalKind::kBson);
    case 21: return of_kind(LogicalKind::kInterval);
    default: break;
  }
  if (converted_type >= 11 && converted_type <= 18) return integer_of(converted_type);
  return of_kind(LogicalKind::kUnknown);
}

}  // namespace microparquet::format
