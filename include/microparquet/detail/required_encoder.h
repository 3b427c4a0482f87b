// Encoders of columns that are known to be required when a program is compiled: without what only optional ones need.
#pragma once

#include "microparquet/delta_encoder.h"
#include "microparquet/dictionary_encoder.h"
#include "microparquet/encoder.h"

namespace microparquet::detail {

// Whether its function to put values is this one. Under -fsanitize=undefined GCC knows no address when it compiles: then never.
constexpr bool puts_by(const Encoder& encoder, Encoder::Put* put) {
  return __builtin_constant_p(encoder.put == put) && encoder.put == put;
}

// Whether it has functions that a required column does not need.
constexpr bool serves_optional(const Encoder& encoder) {
  return puts_by(encoder, &put_deltas) || puts_by(encoder, &put_dictionary_fixed);
}

// The same encoder without them. Requires: it has some.
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
