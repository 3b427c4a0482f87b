#include "microparquet/desktop/zstd_codec.h"
#include "zstd_context.h"

namespace microparquet::desktop {

Status ZstdDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  ZSTD_DCtx* const context = context_of_thread<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx>();
  // An error is a number larger than any page.
  return ZSTD_decompressDCtx(context, out.data(), out.size(), in.data(), in.size()) == out.size()
             ? Status::kOk
             : Status::kCorrupt;
}

}  // namespace microparquet::desktop
