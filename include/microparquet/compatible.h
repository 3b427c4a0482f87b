// Files for every reader, even those of ten years ago. tests/readers/readers.md lists the readers and how
// they treat other files. For recent readers kInPlace and any encoding will do.
//
//   static_assert(mpq::is_compatible(kSchema.fields));
//   constexpr mpq::Options kOptions = mpq::compatible();
#pragma once

#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet {

// Returns `options` with the forward layout and without whole sectors: fastparquet reports headers lengthened
// to fill a sector as damage. Options::row_group_bytes describes the memory it takes. Thread-safe.
constexpr Options compatible(Options options = {}) {
  options.layout = &kForward;
  options.whole_sectors = false;
  return options;
}

// Returns whether every reader knows the logical type. Spark 3.2 refuses times of day and nanoseconds; Rust's
// libraries of 2022 refuse DECIMAL in bytes.
constexpr bool is_compatible(const LogicalType& logical, Type type) {
  if (logical.kind == LogicalKind::kDecimal) return type != Type::kByteArray;
  if (logical.kind == LogicalKind::kTimestamp) return logical.unit != TimeUnit::kNanos;
  return logical.kind != LogicalKind::kTime && logical.kind != LogicalKind::kBson;
}

// Returns whether every reader takes the column. The following are excluded: values of a fixed length, which
// makes DECIMAL an INT32 or INT64; times of day, and timestamps in nanoseconds; FLOAT16, INTERVAL and BSON;
// compressors; encodings other than PLAIN and dictionaries.
constexpr bool is_compatible(const Field& field) {
  const bool has_type = field.type != Type::kFixedLenByteArray && field.type != Type::kInt96;
  const bool has_meaning = is_compatible(field.logical, field.type);
  return has_type && has_meaning && field.compressor == nullptr && field.encoder != nullptr &&
         (field.encoder->id == EncodingId::kPlain || field.encoder->id == EncodingId::kRleDictionary);
}

// Returns whether every reader takes all columns. Thread-safe.
constexpr bool is_compatible(Schema schema) {
  for (const Field& field : schema) {
    if (!is_compatible(field)) {
      return false;
    }
  }
  return true;
}

}  // namespace microparquet
