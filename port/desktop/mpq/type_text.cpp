#include "type_text.h"

#include <array>
#include <string_view>

namespace mpq_tool {

namespace {

using microparquet::CodecId;
using microparquet::LogicalKind;
using microparquet::LogicalType;
using microparquet::SchemaElement;
using microparquet::TimeUnit;
using microparquet::Type;

std::string unit_text(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMillis: return "ms";
    case TimeUnit::kMicros: return "us";
    case TimeUnit::kNanos: return "ns";
  }
  return {};
}

std::string unit_name(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMillis: return "MILLIS";
    case TimeUnit::kMicros: return "MICROS";
    case TimeUnit::kNanos: return "NANOS";
  }
  return {};
}

std::string plain_type_text(const SchemaElement& element) {
  switch (element.type) {
    case Type::kBoolean: return "bool";
    case Type::kInt32: return "int32";
    case Type::kInt64: return "int64";
    case Type::kInt96: return "int96 timestamp";
    case Type::kFloat: return "float";
    case Type::kDouble: return "double";
    case Type::kByteArray: return "binary";
    case Type::kFixedLenByteArray: return "binary(" + std::to_string(element.type_length) + ")";
  }
  return {};
}

// "(MICROS,true)"
std::string time_parameters(const LogicalType& logical) {
  return "(" + unit_name(logical.unit) + (logical.utc ? ",true)" : ",false)");
}

}  // namespace

std::string type_text(const SchemaElement& element) {
  const LogicalType& logical = element.logical;
  switch (logical.kind) {
    case LogicalKind::kNone:
    case LogicalKind::kUnknown:
    case LogicalKind::kNull: return plain_type_text(element);
    case LogicalKind::kList: return "list";
    case LogicalKind::kMap: return "map";
    case LogicalKind::kVariant: return "variant";
    case LogicalKind::kGeometry: return "geometry";
    case LogicalKind::kGeography: return "geography";
    case LogicalKind::kString: return "string";
    case LogicalKind::kEnum: return "enum";
    case LogicalKind::kJson: return "json";
    case LogicalKind::kBson: return "bson";
    case LogicalKind::kUuid: return "uuid";
    case LogicalKind::kDecimal:
      return "decimal(" + std::to_string(logical.precision) + "," + std::to_string(logical.scale) + ")";
    case LogicalKind::kDate: return "date";
    case LogicalKind::kTime: return "time[" + unit_text(logical.unit) + (logical.utc ? ", UTC]" : "]");
    case LogicalKind::kTimestamp:
      return "timestamp[" + unit_text(logical.unit) + (logical.utc ? ", UTC]" : "]");
    case LogicalKind::kInteger: return (logical.is_signed ? "int" : "uint") + std::to_string(logical.bits);
    case LogicalKind::kFloat16: return "float16";
    case LogicalKind::kInterval: return "interval";
  }
  return {};
}

std::string physical_text(const SchemaElement& element) {
  switch (element.type) {
    case Type::kBoolean: return "boolean";
    case Type::kInt32: return "int32";
    case Type::kInt64: return "int64";
    case Type::kInt96: return "int96";
    case Type::kFloat: return "float";
    case Type::kDouble: return "double";
    case Type::kByteArray: return "binary";
    case Type::kFixedLenByteArray: return "fixed_len_byte_array(" + std::to_string(element.type_length) + ")";
  }
  return {};
}

std::string logical_text(const SchemaElement& element) {
  const LogicalType& logical = element.logical;
  switch (logical.kind) {
    case LogicalKind::kNone: return {};
    case LogicalKind::kUnknown:
    case LogicalKind::kNull: return "UNKNOWN";
    case LogicalKind::kList: return "LIST";
    case LogicalKind::kMap: return "MAP";
    case LogicalKind::kVariant: return "VARIANT";
    case LogicalKind::kGeometry: return "GEOMETRY";
    case LogicalKind::kGeography: return "GEOGRAPHY";
    case LogicalKind::kString: return "STRING";
    case LogicalKind::kEnum: return "ENUM";
    case LogicalKind::kJson: return "JSON";
    case LogicalKind::kBson: return "BSON";
    case LogicalKind::kUuid: return "UUID";
    case LogicalKind::kDecimal:
      return "DECIMAL(" + std::to_string(logical.precision) + "," + std::to_string(logical.scale) + ")";
    case LogicalKind::kDate: return "DATE";
    case LogicalKind::kTime: return "TIME" + time_parameters(logical);
    case LogicalKind::kTimestamp: return "TIMESTAMP" + time_parameters(logical);
    case LogicalKind::kInteger:
      return "INTEGER(" + std::to_string(logical.bits) + (logical.is_signed ? ",true)" : ",false)");
    case LogicalKind::kFloat16: return "FLOAT16";
    case LogicalKind::kInterval: return "INTERVAL";
  }
  return {};
}

std::string encoding_names(std::uint32_t encodings) {
  constexpr std::array<std::string_view, 11> kNames = {"PLAIN",
                                                       "",
                                                       "PLAIN_DICTIONARY",
                                                       "RLE",
                                                       "BIT_PACKED",
                                                       "DELTA_BINARY_PACKED",
                                                       "DELTA_LENGTH_BYTE_ARRAY",
                                                       "DELTA_BYTE_ARRAY",
                                                       "RLE_DICTIONARY",
                                                       "BYTE_STREAM_SPLIT",
                                                       "ALP"};
  std::string result;
  for (unsigned i = 0; i < 32; ++i) {
    if ((encodings >> i & 1) != 0) {
      const bool known = i < kNames.size() && !kNames[i].empty();
      result += result.empty() ? "" : " ";
      result += known ? std::string(kNames[i]) : "encoding " + std::to_string(i);
    }
  }
  return result;
}

std::string codec_name(CodecId codec) {
  switch (codec) {
    case CodecId::kUncompressed: return "UNCOMPRESSED";
    case CodecId::kSnappy: return "SNAPPY";
    case CodecId::kGzip: return "GZIP";
    case CodecId::kLzo: return "LZO";
    case CodecId::kBrotli: return "BROTLI";
    case CodecId::kLz4: return "LZ4";
    case CodecId::kZstd: return "ZSTD";
    case CodecId::kLz4Raw: return "LZ4_RAW";
  }
  return "codec " + std::to_string(static_cast<unsigned>(codec));
}

}  // namespace mpq_tool
