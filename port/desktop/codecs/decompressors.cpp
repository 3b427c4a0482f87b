// Without the compressors that codecs.cpp names as well: a program that only reads has none of them.
#include "microparquet/codecs.h"
#include "microparquet/desktop/brotli_codec.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/desktop/gzip_codec.h"
#include "microparquet/desktop/lz4_decompressor.h"
#include "microparquet/desktop/lzo_decompressor.h"
#include "microparquet/desktop/zstd_codec.h"

namespace microparquet::desktop {

namespace {

constexpr const Decompressor* kBuiltDecompressors[] = {&kSnappyDecompressor,
#if MICROPARQUET_GZIP
                                                       &kGzipDecompressor,
#endif
#if MICROPARQUET_LZO
                                                       &kLzoDecompressor,
#endif
#if MICROPARQUET_BROTLI
                                                       &kBrotliDecompressor,
#endif
#if MICROPARQUET_LZ4
                                                       &kLz4Decompressor,
#endif
#if MICROPARQUET_ZSTD
                                                       &kZstdDecompressor,
#endif
                                                       &kLz4RawDecompressor};

}  // namespace

Span<const Decompressor* const> decompressors() { return kBuiltDecompressors; }

}  // namespace microparquet::desktop
