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

// Whether a column is one that every reader takes. Not: values of a fixed length, so that DECIMALs are INT32, INT64 or
// BYTE_ARRAY; FLOAT16, INTERVAL and BSON; a compressor; an encoding but PLAIN and dictionaries.
constexpr bool is_compatible(const Field& field) {
  const bool has_type = field.type != Type::kFixedLenByteArray && field.type != Type::kInt96;
  const bool has_meaning = field.logical.kind != LogicalKind::kBson;
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
