#include "microparquet/desktop/zstd_codec.h"

#include <zstd.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace microparquet::desktop {

namespace {

// Making a context takes longer than undoing a small page: each thread keeps one.
template <typename Context, Context* (*kCreate)(), std::size_t (*kFree)(Context*)>
Context* context_of_thread() {
  struct Free {
    void operator()(Context* context) const { kFree(context); }
  };
  thread_local const std::unique_ptr<Context, Free> context(kCreate());
  if (context == nullptr) {
    throw std::bad_alloc();
  }
  return context.get();
}

}  // namespace

Status ZstdDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  ZSTD_DCtx* const context = context_of_thread<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx>();
  // An error is a number larger than any page.
  return ZSTD_decompressDCtx(context, out.data(), out.size(), in.data(), in.size()) == out.size()
             ? Status::kOk
             : Status::kCorrupt;
}

std::uint32_t ZstdCompressor::compress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  ZSTD_CCtx* const context = context_of_thread<ZSTD_CCtx, ZSTD_createCCtx, ZSTD_freeCCtx>();
  const std::size_t bytes =
      ZSTD_compressCCtx(context, out.data(), out.size(), in.data(), in.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(bytes) != 0) {
    throw std::bad_alloc();  // all else that can be wrong is the caller's
  }
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace microparquet::desktop
