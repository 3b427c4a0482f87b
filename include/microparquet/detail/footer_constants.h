// What a schema makes constant in every footer (parquet.thrift, FileMetaData). A StaticWriter has it in
// flash, made by the compiler; a Writer makes it once, in its arena.
//
//   head   version, schema, header of the number of rows
//   tail   created_by without its field header, column orders, header of our extension
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/detail/magic.h"
#include "microparquet/schema.h"
#include "microparquet/version.h"

namespace microparquet::detail {

// Between the head and the first entry: varints of fixed length, and the header of the list.
inline constexpr unsigned kRowsBytes = 10;
inline constexpr unsigned kRowGroupsBytes = 5;
inline constexpr std::uint32_t kCountsBytes = kRowsBytes + 2 + kRowGroupsBytes;

// What no other part counts: header of created_by, stop byte, length and magic.
inline constexpr std::uint32_t kFooterRestBytes = 1 + 1 + format::kFileEndBytes;

// Takes bytes into an array, or with none counts them.
class ConstantSink {
 public:
  constexpr explicit ConstantSink(std::byte* at) : at_(at) {}

  constexpr void put_byte(unsigned byte) {
    if (at_ != nullptr) at_[size_] = static_cast<std::byte>(byte);
    ++size_;
  }
  constexpr void put(const char* text, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) put_byte(static_cast<unsigned char>(text[i]));
  }
  constexpr std::uint32_t size() const { return size_; }

 private:
  std::byte* at_;
  std::uint32_t size_ = 0;
};

using ConstantWriter = thrift::BasicCompactWriter<ConstantSink>;

// What each LogicalKind is in the file: the ConvertedType that older readers need, and the member of the
// union LogicalType (parquet.thrift names the pairs). Times in milliseconds; INT_8 for integers.
struct KindNumbers {
  std::int8_t converted;  // below 0: there is none
  std::int8_t member;     // 0: there is none
};
inline constexpr std::int8_t kNoConvertedType = -1;
inline constexpr KindNumbers kKindNumbers[] = {
    {kNoConvertedType, 0},                                // kNone
    {0, format::LogicalTypeField::kString},               // kString: UTF8
    {4, format::LogicalTypeField::kEnum},                 // kEnum
    {19, format::LogicalTypeField::kJson},                // kJson
    {20, format::LogicalTypeField::kBson},                // kBson
    {kNoConvertedType, format::LogicalTypeField::kUuid},  // kUuid
    {5, format::LogicalTypeField::kDecimal},              // kDecimal
    {6, format::LogicalTypeField::kDate},                 // kDate
    {7, format::LogicalTypeField::kTime},                 // kTime: TIME_MILLIS, then TIME_MICROS
    {9, format::LogicalTypeField::kTimestamp},  // kTimestamp: TIMESTAMP_MILLIS, then TIMESTAMP_MICROS
    {15, format::LogicalTypeField::kInteger},   // kInteger: INT_8 to INT_64; UINT_8 to UINT_64 stand 4 before
    {kNoConvertedType, format::LogicalTypeField::kFloat16},  // kFloat16
    {21, 0},                                                 // kInterval: has a ConvertedType only
};

// Local times carry their ConvertedType too; nanoseconds have none.
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
  using format::LogicalTypeField;
  const int member = kKindNumbers[static_cast<unsigned>(logical.kind)].member;
  if (member == 0) return;
  out.field_struct(format::SchemaElementField::kLogicalType);
  out.field_struct(member);
  if (member == LogicalTypeField::kDecimal) {
    out.field_i32(format::DecimalTypeField::kScale, logical.scale);
    out.field_i32(format::DecimalTypeField::kPrecision, logical.precision);
  } else if (member == LogicalTypeField::kInteger) {
    out.field_byte(format::IntTypeField::kBitWidth, logical.bits);
    out.field_bool(format::IntTypeField::kIsSigned, logical.is_signed);
  } else if (member == LogicalTypeField::kTime || member == LogicalTypeField::kTimestamp) {
    const int unit = format::TimeUnitField::kMillis + static_cast<int>(logical.unit);
    out.field_bool(format::TimeTypeField::kIsAdjustedToUtc, logical.utc);
    out.field_struct(format::TimeTypeField::kUnit);
    out.field_struct(unit);
    out.end_struct(unit);
    out.end_struct(format::TimeTypeField::kUnit);
  }
  out.end_struct(member);
  out.end_struct(format::SchemaElementField::kLogicalType);
}

// Before the name.
constexpr void begin_schema_element(ConstantWriter& out, const Field& field) {
  using format::SchemaElementField;
  out.element_struct();
  out.field_i32(SchemaElementField::kType, static_cast<std::int32_t>(field.type));
  if (field.type == Type::kFixedLenByteArray) {
    out.field_i32(SchemaElementField::kTypeLength, static_cast<std::int32_t>(field.type_length));
  }
  out.field_i32(SchemaElementField::kRepetitionType, static_cast<std::int32_t>(field.repetition));
}

// After it.
constexpr void end_schema_element(ConstantWriter& out, const Field& field) {
  using format::SchemaElementField;
  if (const int converted = converted_type(field.logical); converted >= 0) {
    out.field_i32(SchemaElementField::kConvertedType, converted);
  }
  if (field.logical.kind == LogicalKind::kDecimal) {
    out.field_i32(SchemaElementField::kScale, field.logical.scale);
    out.field_i32(SchemaElementField::kPrecision, field.logical.precision);
  }
  write_logical_type(out, field.logical);
  out.end_struct(format::FileMetaDataField::kSchema);
}

// The footer's head, and then its tail: both return how many bytes they write at `at`; null: would write.
//
// `take_path(i, begin, end)` receives where column i's name stands, from the header of its field on. That is
// what a list of this one name looks like, too, as column chunks have it for their path_in_schema.
template <typename TakePath>
constexpr std::uint32_t write_footer_head(Schema schema, std::byte* at, TakePath take_path) {
  static_assert(thrift::field_byte(format::SchemaElementField::kName, thrift::CompactType::kBinary,
                                   format::SchemaElementField::kRepetitionType) ==
                thrift::list_byte(thrift::CompactType::kBinary, 1));
  using format::SchemaElementField;
  ConstantSink sink(at);
  ConstantWriter out(sink);
  const auto columns = static_cast<std::uint32_t>(schema.size());
  out.field_i32(format::FileMetaDataField::kVersion, 1);
  out.field_list(format::FileMetaDataField::kSchema, thrift::CompactType::kStruct, columns + 1);
  out.element_struct();
  out.field_string(SchemaElementField::kName, "schema");
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(columns));
  out.end_struct(format::FileMetaDataField::kSchema);
  for (std::uint32_t i = 0; i < columns; ++i) {
    begin_schema_element(out, schema[i]);
    const std::uint32_t path = sink.size();
    out.field_string(SchemaElementField::kName, schema[i].name);
    take_path(i, path, sink.size());
    end_schema_element(out, schema[i]);
  }
  out.field_header(format::FileMetaDataField::kNumRows, thrift::CompactType::kI64);
  return sink.size();
}

constexpr std::uint32_t footer_head_bytes(Schema schema) {
  return write_footer_head(schema, nullptr, [](std::uint32_t, std::uint32_t, std::uint32_t) {});
}

constexpr std::uint32_t write_footer_tail(std::size_t columns, std::uint32_t extension_bytes, std::byte* at) {
  ConstantSink sink(at);
  ConstantWriter out(sink, format::FileMetaDataField::kCreatedBy);
  out.element_string(std::string_view(kCreatedBy, sizeof kCreatedBy - 1));
  // One TYPE_ORDER for each leaf: without them readers do not believe the bounds.
  out.field_list(format::FileMetaDataField::kColumnOrders, thrift::CompactType::kStruct,
                 static_cast<std::uint32_t>(columns));
  for (; columns != 0; --columns) {
    out.element_struct();
    out.field_struct(format::ColumnOrderField::kTypeOrder);
    out.end_struct(format::ColumnOrderField::kTypeOrder);
    out.end_struct(format::FileMetaDataField::kColumnOrders);
  }
  // Its id is too far from the last one for the short form.
  out.byte(static_cast<unsigned>(thrift::CompactType::kBinary));
  out.element_i32(format::kExtensionField);
  out.varint(extension_bytes);
  return sink.size();
}

}  // namespace microparquet::detail
