// Encoder of BYTE_STREAM_SPLIT (Encodings.md): the first byte of each value, then the second of each, and so
// on. Similar numbers compress better in this form.
//
//   microparquet::column("speed", &Sample::speed)
//       .with_encoder(microparquet::kByteStreamSplit)
//       .with_compressor(microparquet::kLz4RawCompressor)
#pragma once

#include "microparquet/encoder.h"

namespace microparquet {

// Encoder for float and double columns that name a compressor. A page is split or in PLAIN, whichever is
// smaller: now and then a page is compressed both ways, and the pages after it have the smaller form.
// Splitting alone makes nothing smaller: without a compressor all pages are PLAIN.
//
// Values are stored as in PLAIN, and split when their page is closed. Memory: 40 bytes for each column of the
// schema instead of the 32 that compression takes. All readers named in the README have the encoding.
inline constexpr Encoder kByteStreamSplit{EncodingId::kByteStreamSplit,
                                          {Type::kFloat, Type::kDouble},
                                          0,
                                          true,
                                          nullptr,
                                          &detail::fixed_that_fit,
                                          nullptr,
                                          &detail::put_plain_fixed,
                                          &detail::finish_plain,
                                          &detail::kSplitPages};

}  // namespace microparquet
