// All decoders and decompressors of the library, for programs that read whatever comes: ReaderOptions link
// what they name.
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

// For ReaderOptions::decoders: every encoding that the library reads.
inline constexpr const Decoder* kAllDecoders[] = {
    &kPlainFixedDecoder,  &kPlainBooleanDecoder,        &kPlainByteArrayDecoder,
    &kDeltaDecoder,       &kWideByteStreamSplitDecoder, &kByteStreamSplitDecoder,
    &kRleBooleanDecoder,  &kFixedDictionaryDecoder,     &kByteArrayDictionaryDecoder,
    &kDeltaLengthDecoder, &kDeltaByteArrayDecoder,      &kDeltaFixedDecoder,
    &kAlpDecoder};

// For ReaderOptions::decompressors: every compression that the library undoes.
inline constexpr const Decompressor* kAllDecompressors[] = {&kSnappyDecompressor, &kLz4RawDecompressor};

}  // namespace microparquet
