// Encoder of booleans in RLE (Encodings.md): runs of equal values.
//
//   microparquet::column("alarm", &Sample::alarm).with_encoder(microparquet::kRleBoolean)
//
// A value that seldom changes takes next to nothing instead of a bit a row. A page without such runs is
// PLAIN; no page is larger than in PLAIN by more than five bytes and one in 500. Do not use it for files that
// fastparquet or parquet-go will read: they read wrong values from such columns, without an error. The other
// readers named in the README have it.
#pragma once

#include "microparquet/encoder.h"

namespace microparquet {

namespace detail {
Encoder::BeginPage begin_boolean_runs;
Encoder::ValuesThatFit boolean_runs_that_fit;
Encoder::Put put_boolean_runs;
Encoder::Finish finish_boolean_runs;

inline constexpr std::uint16_t kBooleanRunsStateBytes = 32;
}  // namespace detail

// Object for Field::with_encoder(). Memory: 32 bytes, and 8 for each column of the schema.
inline constexpr Encoder kRleBoolean{EncodingId::kRle,
                                     {Type::kBoolean},
                                     detail::kBooleanRunsStateBytes,
                                     false,
                                     &detail::begin_boolean_runs,
                                     &detail::boolean_runs_that_fit,
                                     nullptr,
                                     &detail::put_boolean_runs,
                                     &detail::finish_boolean_runs,
                                     kSeveralEncodings};

}  // namespace microparquet
