// All decoders and decompressors of the library, for programs that read any file. Other programs name only
// those they need, since ReaderOptions link what they name.
#pragma once

#include "microparquet/codecs.h"
#include "microparquet/decoder.h"
#include "microparquet/decoders.h"

namespace microparquet {

// Every decoder of the library, for ReaderOptions::decoders.
inline constexpr const Decoder* kAllDecoders[] = {
    &kPlainFixedDecoder,  &kPlainBooleanDecoder,        &kPlainByteArrayDecoder,
    &kDeltaDecoder,       &kWideByteStreamSplitDecoder, &kByteStreamSplitDecoder,
    &kRleBooleanDecoder,  &kFixedDictionaryDecoder,     &kByteArrayDictionaryDecoder,
    &kDeltaLengthDecoder, &kDeltaByteArrayDecoder,      &kDeltaFixedDecoder,
    &kAlpDecoder};

// Every decompressor of the library, for ReaderOptions::decompressors.
inline constexpr const Decompressor* kAllDecompressors[] = {&kSnappyDecompressor, &kLz4RawDecompressor};

}  // namespace microparquet
