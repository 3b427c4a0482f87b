// Encoder of DELTA_BINARY_PACKED (Encodings.md): integers as packed differences.
//
//   microparquet::column("count", &Sample::count).with_encoder(microparquet::kDeltaBinaryPacked)
//
// Times and counters take one or two bytes a row instead of eight or four. All readers named in the README
// have it. A page that would not be smaller is stored in PLAIN: no column grows.
#pragma once

#include <cstdint>

#include "microparquet/encoder.h"

namespace microparquet {

namespace detail {
Encoder::BeginPage begin_deltas;
Encoder::ValuesThatFit deltas_that_fit;
Encoder::Put put_deltas;
Encoder::Finish finish_deltas;

// Values wait in the column's state until enough of them can be packed.
inline constexpr std::uint16_t kDeltaStateBytes = 40;
inline constexpr std::uint16_t kDeltaStagedValues = kMostKeptValues;

constexpr Encoder delta_encoder(Type type, std::uint16_t value_bytes) {
  const auto state_bytes =
      static_cast<std::uint16_t>((kDeltaStateBytes + kDeltaStagedValues * value_bytes) / 8 * 8);
  return {EncodingId::kDeltaBinaryPacked,
          {type},
          state_bytes,
          true,
          &begin_deltas,
          &deltas_that_fit,
          nullptr,
          &put_deltas,
          &finish_deltas,
          kSeveralEncodings};
}
}  // namespace detail

// Encoder for columns stored as int32.
inline constexpr Encoder kDeltaInt32 = detail::delta_encoder(Type::kInt32, 4);
// Encoder for columns stored as int64.
inline constexpr Encoder kDeltaInt64 = detail::delta_encoder(Type::kInt64, 8);

// Encoders for Field::with_encoder(), which takes the one that suits the column: int32, int64, and types
// stored as these. Memory: 168 bytes for an int32 column, 304 for an int64 column, and 8 for each column of
// the schema.
//
// An optional column, and any column in the forward layout, keeps space in a page for values that may not
// pack well: 142 bytes for int32 and 270 for int64. Give these pages of 1,024 bytes or more.
inline constexpr IntegerEncoders kDeltaBinaryPacked{&kDeltaInt32, &kDeltaInt64};

}  // namespace microparquet
