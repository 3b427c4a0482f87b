// Files that every reader takes, those of ten years ago too. tests/readers/readers.md names the readers, and what each makes of
// other files. Where all of them are recent, kInPlace and any encoding will do.
//
//   static_assert(mpq::is_compatible(kSchema.fields));
//   constexpr mpq::Options kOptions = mpq::compatible();
#pragma once

#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet {

// `options` in the forward layout, and without whole sectors: fastparquet takes headers that were lengthened to fill a sector
// for damage. See Options::row_group_bytes for the memory it takes. Thread-safe.
constexpr Options compatible(Options options = {}) {
  options.layout = &kForward;
  options.whole_sectors = false;
  return options;
}

// Whether every reader takes what a value means. Spark 3.2 refuses times of day and nanoseconds, and Rust's libraries of 2022
// DECIMALs in bytes.
constexpr bool is_compatible(const LogicalType& logical, Type type) {
  if (logical.kind == LogicalKind::kDecimal) return type != Type::kByteArray;
  if (logical.kind == LogicalKind::kTimestamp) return logical.unit != TimeUnit::kNanos;
  return logical.kind != LogicalKind::kTime && logical.kind != LogicalKind::kBson;
}

// Whether a column is one that every reader takes. Not: values of a fixed length, so that DECIMALs are INT32 or INT64;
// times of day, and timestamps in nanoseconds; FLOAT16, INTERVAL and BSON; a compressor; an encoding but PLAIN and dictionaries.
constexpr bool is_compatible(const Field& field) {
  const bool has_type = field.type != Type::kFixedLenByteArray && field.type != Type::kInt96;
  const bool has_meaning = is_compatible(field.logical, field.type);
  return has_type && has_meaning && field.compressor == nullptr && field.encoder != nullptr &&
         (field.encoder->id == EncodingId::kPlain || field.encoder->id == EncodingId::kRleDictionary);
}

// Whether all columns are. Thread-safe.
constexpr bool is_compatible(Schema schema) {
  for (const Field& field : schema) {
    if (!is_compatible(field)) {
      return false;
    }
  }
  return true;
}

}  // namespace microparquet
