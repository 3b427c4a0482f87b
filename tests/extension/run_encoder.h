// An encoder of a program's own: booleans as runs (Encodings.md, RLE), written by what encoder.h says and
// nothing else.
//
//   4 bytes   length of the runs, little-endian
//   runs      varint(length << 1), the value in one byte
//
// The open run is its state. It continues in the next page where there is one. After a page whose runs were
// short the next one is PLAIN: a bit a value, least significant first.
#pragma once

#include "microparquet/encoder.h"

namespace extension {

namespace mpq = microparquet;

mpq::Encoder::BeginPage begin_runs;
mpq::Encoder::ValuesThatFit runs_that_fit;
mpq::Encoder::Put put_runs;
mpq::Encoder::Finish finish_runs;

inline constexpr mpq::Encoder kRunEncoder{mpq::EncodingId::kRle, {mpq::Type::kBoolean}, 16,      false,
                                          &begin_runs,           &runs_that_fit,        nullptr, &put_runs,
                                          &finish_runs,          mpq::kSeveralEncodings};

}  // namespace extension
