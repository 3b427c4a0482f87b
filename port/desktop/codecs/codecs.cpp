#include "microparquet/desktop/codecs.h"

#include <algorithm>
#include <iterator>

#include "microparquet/codecs.h"
#include "microparquet/desktop/brotli_codec.h"
#include "microparquet/desktop/gzip_codec.h"
#include "microparquet/desktop/lz4_decompressor.h"
#include "microparquet/desktop/lzo_decompressor.h"
#include "microparquet/desktop/snappy_compressor.h"
#include "microparquet/desktop/zstd_codec.h"

namespace microparquet::desktop {

namespace {

// The objects of a compression; none where its library was not found.
struct Objects {
  const Decompressor* decompressor = nullptr;
  const Compressor* compressor = nullptr;
};

#if MICROPARQUET_ZSTD
constexpr Objects kZstd = {&kZstdDecompressor, &kZstdCompressor};
#else
constexpr Objects kZstd;
#endif

#if MICROPARQUET_GZIP
constexpr Objects kGzip = {&kGzipDecompressor, &kGzipCompressor};
#else
constexpr Objects kGzip;
#endif

#if MICROPARQUET_BROTLI
constexpr Objects kBrotli = {&kBrotliDecompressor, &kBrotliCompressor};
#else
constexpr Objects kBrotli;
#endif

#if MICROPARQUET_SNAPPY
constexpr Objects kSnappy = {&kSnappyDecompressor, &kSnappyCompressor};
#else
constexpr Objects kSnappy = {&kSnappyDecompressor, nullptr};
#endif

#if MICROPARQUET_LZ4
constexpr Objects kLz4 = {&kLz4Decompressor, nullptr};
#else
constexpr Objects kLz4;
#endif

#if MICROPARQUET_LZO
constexpr Objects kLzo = {&kLzoDecompressor, nullptr};
#else
constexpr Objects kLzo;
#endif

constexpr Objects kLz4Raw = {&kLz4RawDecompressor, &kLz4RawCompressor};

constexpr NamedCodec named(CodecId id, const char* name, const char* library, const Objects& objects) {
  return {id, name, library, objects.decompressor, objects.compressor};
}

constexpr NamedCodec kCodecs[] = {
    named(CodecId::kSnappy, "snappy", "libsnappy-dev", kSnappy),
    named(CodecId::kGzip, "gzip", "zlib1g-dev", kGzip),
    named(CodecId::kLzo, "lzo", "liblzo2-dev", kLzo),
    named(CodecId::kBrotli, "brotli", "libbrotli-dev", kBrotli),
    named(CodecId::kLz4, "lz4", "liblz4-dev", kLz4),
    named(CodecId::kZstd, "zstd", "libzstd-dev", kZstd),
    named(CodecId::kLz4Raw, "lz4_raw", nullptr, kLz4Raw),
};

template <typename Matches>
const NamedCodec* find(Matches matches) {
  const NamedCodec* const found = std::find_if(std::begin(kCodecs), std::end(kCodecs), matches);
  return found == std::end(kCodecs) ? nullptr : found;
}

}  // namespace

Span<const NamedCodec> codecs() { return kCodecs; }

const NamedCodec* find_codec(CodecId id) {
  return find([id](const NamedCodec& codec) { return codec.id == id; });
}

const NamedCodec* find_codec(std::string_view name) {
  return find([name](const NamedCodec& codec) { return codec.name == name; });
}

std::string built_without(std::string_view program, const NamedCodec& codec) {
  return "this " + std::string(program) + " was built without " + codec.name + " (Debian: " + codec.library +
         ")";
}

}  // namespace microparquet::desktop
