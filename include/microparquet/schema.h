// Columns and their types, which make up a file's schema.
//
// A schema is a caller's array of Field. Build it at compile time with the functions below or, with a C++
// struct, with those of typed.h; or fill an array at run time. The names are not copied: they live as long as
// the writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/bounds_tracker.h"
#include "microparquet/compressor.h"
#include "microparquet/encoder.h"
#include "microparquet/encoders.h"
#include "microparquet/levels.h"
#include "microparquet/span.h"
#include "microparquet/type.h"

namespace microparquet {

// FieldRepetitionType of parquet.thrift.
enum class Repetition : std::uint8_t { kRequired = 0, kOptional = 1, kRepeated = 2 };

// Largest number of columns in a file, for writers and readers: a reader stores a column's place among the
// chosen ones in 16 bits, with one number for a column not chosen.
inline constexpr std::uint32_t kMaxColumns = 65535;

// Longest name of a written column.
inline constexpr std::uint32_t kMaxNameBytes = 32767;

// Unit of kTime or kTimestamp.
enum class TimeUnit : std::uint8_t { kMillis, kMicros, kNanos };

// Logical type of the values (LogicalTypes.md). kUnknown: read from a file, and none of these.
enum class LogicalKind : std::uint8_t {
  kNone,
  kString,
  kEnum,
  kJson,
  kBson,
  kUuid,
  kDecimal,
  kDate,
  kTime,
  kTimestamp,
  kInteger,
  kFloat16,
  kInterval,
  kUnknown,
  // The following kinds are only read.
  kNull,  // parquet.thrift's UNKNOWN: all values are null
  kList,
  kMap,
  kVariant,
  kGeometry,
  kGeography,
};

// Returns whether the kind is only read, and cannot be written.
constexpr bool is_read_only(LogicalKind kind) { return kind >= LogicalKind::kUnknown; }

// Logical type of a column's values, with its parameters. The members beside `kind` belong to the kinds they
// name.
struct LogicalType {
  LogicalKind kind = LogicalKind::kNone;  // kNone: the physical type alone
  TimeUnit unit = TimeUnit::kMicros;      // kTime, kTimestamp
  bool utc = true;                        // kTime, kTimestamp: isAdjustedToUTC; false is local time
  bool is_signed = true;                  // kInteger
  std::uint8_t bits = 0;                  // kInteger: 8, 16, 32, 64
  std::uint8_t precision = 0;             // kDecimal: digits in all
  std::uint8_t scale = 0;                 // kDecimal: digits after the point
};

// Leaf column (parquet.thrift's SchemaElement) and the way it is written.
struct Field {
  std::string_view name;                          // name; it is not copied and must stay as long as the
                                                  // writer
  Type type = Type::kInt32;                       // physical type
  Repetition repetition = Repetition::kRequired;  // repetition; kRepeated cannot be written
  LogicalType logical = {};                       // logical type
  std::uint32_t type_length = 0;                  // bytes of a kFixedLenByteArray value
  std::uint32_t page_bytes = 0;                   // size of this column's pages; 0: Options::page_bytes
  const Encoder* encoder = nullptr;               // encoder of the values; the functions below name PLAIN
  const BoundsTracker* bounds = &kNoBounds;       // order of the values, for minimum and maximum
  const Levels* levels = nullptr;                 // levels of an optional column; null for a required one
  const Compressor* compressor = nullptr;         // compressor of its pages; null: they are stored
                                                  // uncompressed

  // Returns this field for values that may be null; the code for that is linked with it.
  constexpr Field as_optional() const {
    Field field = *this;
    field.repetition = Repetition::kOptional;
    field.levels = &kHybridLevels;
    return field;
  }
  // Returns this field with pages of `bytes` bytes: see Options::page_bytes.
  constexpr Field with_page_bytes(std::uint32_t bytes) const {
    Field field = *this;
    field.page_bytes = bytes;
    return field;
  }
  // Returns this field encoded by `object`, which is the caller's and must stay as long as the writer.
  constexpr Field with_encoder(const Encoder& object) const {
    Field field = *this;
    field.encoder = &object;
    return field;
  }
  // Returns this field encoded by the one of `objects` that suits its type.
  constexpr Field with_encoder(const IntegerEncoders& objects) const {
    return with_encoder(type == Type::kInt64 ? *objects.int64 : *objects.int32);
  }
  // Returns this field encoded by the one of `objects` that suits its type.
  constexpr Field with_encoder(const DictionaryEncoders& objects) const {
    switch (type) {
      case Type::kInt64: return with_encoder(*objects.int64);
      case Type::kFloat: return with_encoder(*objects.float32);
      case Type::kDouble: return with_encoder(*objects.float64);
      case Type::kByteArray: return with_encoder(*objects.byte_array);
      default: return with_encoder(*objects.int32);
    }
  }
  // Returns this field encoded, and perhaps compressed, by the ones of `objects` for its type: see
  // encoders.h.
  constexpr Field with_encoder(const AutoEncoders& objects) const {
    if (type == Type::kInt32 || type == Type::kInt64) return with_encoder(objects.integers);
    if (type != Type::kFloat && type != Type::kDouble && type != Type::kByteArray) return *this;
    Field field = with_encoder(type == Type::kFloat    ? *objects.float32
                               : type == Type::kDouble ? *objects.float64
                                                       : *objects.byte_array);
    field.compressor = objects.compressor;
    return field;
  }
  // Returns this field with its pages compressed by `object`, which is the caller's and must stay as long as
  // the writer.
  constexpr Field with_compressor(const Compressor& object) const {
    Field field = *this;
    field.compressor = &object;
    return field;
  }
};

// Columns of a file in their order; the array is the caller's.
using Schema = Span<const Field>;

// The functions below make fields, each required unless as_optional() is called.

// Makes a required field of any kind from its parts. Requires: `encoder` and `bounds` support `type`.
constexpr Field make_field(std::string_view name, Type type, LogicalType logical, const Encoder& encoder,
                           const BoundsTracker& bounds, std::uint32_t type_length = 0) {
  Field field;
  field.name = name;
  field.type = type;
  field.logical = logical;
  field.type_length = type_length;
  field.encoder = &encoder;
  field.bounds = &bounds;
  return field;
}

namespace detail {
constexpr LogicalType logical_of(LogicalKind kind) {
  LogicalType logical;
  logical.kind = kind;
  return logical;
}
constexpr LogicalType logical_integer(std::uint8_t bits, bool is_signed) {
  LogicalType logical = logical_of(LogicalKind::kInteger);
  logical.bits = bits;
  logical.is_signed = is_signed;
  return logical;
}
constexpr LogicalType logical_decimal(std::uint8_t precision, std::uint8_t scale) {
  LogicalType logical = logical_of(LogicalKind::kDecimal);
  logical.precision = precision;
  logical.scale = scale;
  return logical;
}
constexpr const BoundsTracker& signed_bounds(Type type) {
  if (type == Type::kInt64) return kInt64Bounds;
  return kInt32Bounds;
}
constexpr LogicalType logical_time(LogicalKind kind, TimeUnit unit, bool utc) {
  LogicalType logical = logical_of(kind);
  logical.unit = unit;
  logical.utc = utc;
  return logical;
}
}  // namespace detail

// True and false: a bit a value.
constexpr Field boolean_field(std::string_view name) {
  return make_field(name, Type::kBoolean, {}, kPlainBoolean, kBooleanBounds);
}
// Signed numbers of 32 bits.
constexpr Field int32_field(std::string_view name) {
  return make_field(name, Type::kInt32, {}, kPlainFixed, kInt32Bounds);
}
// Signed numbers of 64 bits.
constexpr Field int64_field(std::string_view name) {
  return make_field(name, Type::kInt64, {}, kPlainFixed, kInt64Bounds);
}
// INTEGER of 8, 16, 32 or 64 bits; up to 32 bits a value is an int32, zero-extended when unsigned.
constexpr Field integer_field(std::string_view name, std::uint8_t bits, bool is_signed) {
  const LogicalType logical = detail::logical_integer(bits, is_signed);
  const Type type = bits == 64 ? Type::kInt64 : Type::kInt32;
  if (is_signed) return make_field(name, type, logical, kPlainFixed, detail::signed_bounds(type));
  if (type == Type::kInt64) return make_field(name, type, logical, kPlainFixed, kUint64Bounds);
  return make_field(name, type, logical, kPlainFixed, kUint32Bounds);
}
// IEEE single precision, four bytes a value.
constexpr Field float_field(std::string_view name) {
  return make_field(name, Type::kFloat, {}, kPlainFixed, kFloatBounds);
}
// IEEE double precision, eight bytes a value.
constexpr Field double_field(std::string_view name) {
  return make_field(name, Type::kDouble, {}, kPlainFixed, kDoubleBounds);
}
// Two bytes a value: IEEE half precision, little-endian.
constexpr Field float16_field(std::string_view name) {
  return make_field(name, Type::kFixedLenByteArray, detail::logical_of(LogicalKind::kFloat16), kPlainFixed,
                    kFloat16Bounds, 2);
}
// Bytes of any length, which mean nothing to a reader.
constexpr Field byte_array_field(std::string_view name) {
  return make_field(name, Type::kByteArray, {}, kPlainByteArray, kBinaryBounds);
}
// Text in UTF-8, of any length.
constexpr Field string_field(std::string_view name) {
  return make_field(name, Type::kByteArray, detail::logical_of(LogicalKind::kString), kPlainByteArray,
                    kBinaryBounds);
}
// Text or bytes of `kind`: kEnum, kJson or kBson.
constexpr Field text_field(std::string_view name, LogicalKind kind) {
  return make_field(name, Type::kByteArray, detail::logical_of(kind), kPlainByteArray, kBinaryBounds);
}
// `bytes` bytes a value, which mean nothing to a reader.
constexpr Field fixed_field(std::string_view name, std::uint32_t bytes) {
  return make_field(name, Type::kFixedLenByteArray, {}, kPlainFixed, kBinaryBounds, bytes);
}
// Sixteen bytes a value, big-endian.
constexpr Field uuid_field(std::string_view name) {
  return make_field(name, Type::kFixedLenByteArray, detail::logical_of(LogicalKind::kUuid), kPlainFixed,
                    kBinaryBounds, 16);
}
// Twelve bytes a value: months, days, milliseconds, each 32 bits unsigned little-endian. Has no order.
constexpr Field interval_field(std::string_view name) {
  return make_field(name, Type::kFixedLenByteArray, detail::logical_of(LogicalKind::kInterval), kPlainFixed,
                    kNoBounds, 12);
}
// Days since 1970-01-01, an int32.
constexpr Field date_field(std::string_view name) {
  return make_field(name, Type::kInt32, detail::logical_of(LogicalKind::kDate), kPlainFixed, kInt32Bounds);
}
// Time since midnight: milliseconds are an int32, micro- and nanoseconds an int64.
constexpr Field time_field(std::string_view name, TimeUnit unit, bool utc = true) {
  const Type type = unit == TimeUnit::kMillis ? Type::kInt32 : Type::kInt64;
  return make_field(name, type, detail::logical_time(LogicalKind::kTime, unit, utc), kPlainFixed,
                    detail::signed_bounds(type));
}
// Time since 1970-01-01 00:00, an int64; `utc` false is a local time without a zone.
constexpr Field timestamp_field(std::string_view name, TimeUnit unit = TimeUnit::kMicros, bool utc = true) {
  return make_field(name, Type::kInt64, detail::logical_time(LogicalKind::kTimestamp, unit, utc), kPlainFixed,
                    kInt64Bounds);
}
// Decimal whose unscaled value is an int32, of up to 9 digits.
constexpr Field decimal32_field(std::string_view name, std::uint8_t precision, std::uint8_t scale) {
  return make_field(name, Type::kInt32, detail::logical_decimal(precision, scale), kPlainFixed, kInt32Bounds);
}
// Decimal whose unscaled value is an int64, of up to 18 digits.
constexpr Field decimal64_field(std::string_view name, std::uint8_t precision, std::uint8_t scale) {
  return make_field(name, Type::kInt64, detail::logical_decimal(precision, scale), kPlainFixed, kInt64Bounds);
}
// Decimal whose unscaled value is in two's complement, big-endian, `bytes` bytes a value.
constexpr Field decimal_fixed_field(std::string_view name, std::uint32_t bytes, std::uint8_t precision,
                                    std::uint8_t scale) {
  return make_field(name, Type::kFixedLenByteArray, detail::logical_decimal(precision, scale), kPlainFixed,
                    kDecimalBounds, bytes);
}
// Decimal whose unscaled value is in two's complement, big-endian, of any length.
constexpr Field decimal_binary_field(std::string_view name, std::uint8_t precision, std::uint8_t scale) {
  return make_field(name, Type::kByteArray, detail::logical_decimal(precision, scale), kPlainByteArray,
                    kDecimalBounds);
}

// Returns the bytes of a value in memory: 1, 4, 8, 12 or type_length; 0 for byte arrays.
constexpr std::uint32_t value_bytes(Type type, std::uint32_t type_length) {
  switch (type) {
    case Type::kBoolean: return 1;
    case Type::kInt32:
    case Type::kFloat: return 4;
    case Type::kInt64:
    case Type::kDouble: return 8;
    case Type::kInt96: return 12;
    case Type::kByteArray: return 0;
    case Type::kFixedLenByteArray: return type_length;
  }
  return 0;
}

}  // namespace microparquet
