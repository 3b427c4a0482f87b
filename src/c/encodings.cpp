// Encodings of columns, for C.
#include "c/schema_objects.h"
#include "microparquet/auto_encoders.h"
#include "microparquet/lz4_raw_compressor.h"
#include "microparquet/rle_encoder.h"

namespace microparquet::c {
namespace {

void apply_delta(Field& field) {
  if (field.type == Type::kInt32 || field.type == Type::kInt64)
    field = field.with_encoder(kDeltaBinaryPacked);
  if (field.type == Type::kBoolean) field = field.with_encoder(kRleBoolean);
}

void apply_dictionary(Field& field) {
  if (field.type != Type::kBoolean && field.type != Type::kFixedLenByteArray)
    field = field.with_encoder(kDictionary);
}

void apply_small(Field& field) { field = field.with_encoder(kAuto.under(kLz4RawCompressor)); }

void apply_optional(Field& field) { field = field.as_optional(); }

}  // namespace
}  // namespace microparquet::c

const mpq_encoding mpq_delta = {&microparquet::c::apply_delta};
const mpq_encoding mpq_dictionary = {&microparquet::c::apply_dictionary};
const mpq_encoding mpq_small = {&microparquet::c::apply_small};
const mpq_optional mpq_is_optional = {&microparquet::c::apply_optional};
