// Encoders for columns that the compiler knows to be required, without parts for optional columns.
#pragma once

#include "microparquet/encoder.h"
#include "microparquet/encoders.h"

namespace microparquet::detail {

// Returns whether the encoder puts values by this function. GCC under -fsanitize=undefined knows no address
// at compile time: then the result is false.
constexpr bool puts_by(const Encoder& encoder, Encoder::Put* put) {
  return __builtin_constant_p(encoder.put == put) && encoder.put == put;
}

// Returns whether the encoder has functions that a required column does not need.
constexpr bool serves_optional(const Encoder& encoder) {
  return puts_by(encoder, &put_deltas) || puts_by(encoder, &put_dictionary_fixed);
}

// Returns the encoder without these functions. Requires: it has some.
constexpr Encoder for_required(Encoder encoder) {
  if (puts_by(encoder, &put_dictionary_fixed)) {
    encoder.begin_page = &begin_dictionary_staged;
    encoder.values_that_fit = &dictionary_staged_that_fit;
    encoder.finish = &finish_dictionary_staged;
    encoder.accepts = nullptr;
  }
  encoder.put = &put_plain_fixed;  // values are staged
  return encoder;
}

}  // namespace microparquet::detail
