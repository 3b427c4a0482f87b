// The types a column of a CSV file can be given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "microparquet/reader.h"
#include "microparquet/schema.h"
#include "number_form.h"
#include "timestamp.h"

namespace csv_log {

enum class Kind : std::uint8_t {
  kBool,
  kInteger,
  kFloat,
  kDouble,
  kDecimal,
  kString,
  kEnum,
  kJson,
  kBinary,
  kUuid,
  kDate,
  kTime,
  kTimestamp,
  kInt96,
};

// Whether timestamps are instants or what a clock on the wall showed.
enum class Zone : std::uint8_t {
  kOfValues,  // not told: UTC when the values name a zone, else local
  kUtc,
  kLocal,
};

struct ColumnType {
  Kind kind = Kind::kString;
  std::uint8_t bits = 64;      // kInteger
  bool is_signed = true;       // kInteger
  std::uint8_t precision = 0;  // kDecimal: digits in all, up to 18
  std::uint8_t scale = 0;      // kDecimal: digits after the point
  microparquet::TimeUnit unit = microparquet::TimeUnit::kMicros;
  Zone zone = Zone::kOfValues;  // kTimestamp
  // kTimestamp: cells are numbers counted from 1970, this many to a second; 0: they are dates and times.
  std::int64_t epoch_units = 0;
  DateOrder date_order = DateOrder::kUnknown;  // of cells whose year comes last
  NumberForm number_form;                      // of cells whose thousands are parted
};

// What the file's schema says of it: not how cells are written.
ColumnType stored(ColumnType type);

bool is_number(const ColumnType& type);
// With a date in its cells.
bool has_date(const ColumnType& type);

// The type that --type calls `name`, as "int16", "decimal(9,2)" or "timestamp_ms_utc".
std::optional<ColumnType> parse_column_type(std::string_view name);

// What parse_column_type knows, for messages and help.
std::string column_type_names();

// The name of a type as parse_column_type takes it.
std::string to_string(const ColumnType& type);

// The column of that type in the file's schema. `name` must outlive it.
microparquet::Field field_of(std::string_view name, const ColumnType& type);

// The type whose column in a file's schema that is; none if it is of no such type.
std::optional<ColumnType> column_type_of(const microparquet::SchemaElement& element);

// How many of the type's units a second has.
std::int64_t units_per_second(microparquet::TimeUnit unit);

}  // namespace csv_log
