// Byte arrays whose lengths are packed (Encodings.md), for files that a desktop writes.
//
//   mpq::column("path", &Entry::path).with_encoder(mpq::desktop::kDeltaByteArray)
//
// Values are stored as PLAIN's are, and become the other encoding when their page ends, by memory from the heap. A page
// that would be no smaller than in PLAIN is PLAIN. fastparquet reads neither encoding.
#pragma once

#include "microparquet/encoder.h"

namespace microparquet::desktop {

namespace detail {
Encoder::Finish finish_packed_lengths;
Encoder::Finish finish_shared_prefixes;

constexpr Encoder string_encoder(EncodingId id, Encoder::Finish* finish) {
  Encoder encoder = kPlainByteArray;
  encoder.id = id;
  encoder.finish = finish;
  encoder.transform = kSeveralEncodings;
  return encoder;
}
}  // namespace detail

// DELTA_LENGTH_BYTE_ARRAY: all lengths of a page, and then its values: for short texts, and before compression.
inline constexpr Encoder kDeltaLengthByteArray =
    detail::string_encoder(EncodingId::kDeltaLengthByteArray, &detail::finish_packed_lengths);

// DELTA_BYTE_ARRAY: of each value what it does not begin with as the one before it: for sorted texts and paths.
inline constexpr Encoder kDeltaByteArray =
    detail::string_encoder(EncodingId::kDeltaByteArray, &detail::finish_shared_prefixes);

}  // namespace microparquet::desktop
