// All decoders and decompressors of the library, for programs that read any file. Other programs name only
// those they need, since ReaderOptions link what they name.
#pragma once

#include "microparquet/alp_decoder.h"
#include "microparquet/byte_stream_split_decoder.h"
#include "microparquet/decoder.h"
#include "microparquet/delta_byte_array_decoder.h"
#include "microparquet/delta_decoder.h"
#include "microparquet/delta_length_decoder.h"
#include "microparquet/lz4_raw_decompressor.h"
#include "microparquet/rle_decoder.h"
#include "microparquet/rle_dictionary_decoder.h"
#include "microparquet/snappy_decompressor.h"

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
