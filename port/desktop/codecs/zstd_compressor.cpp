#include <new>

#include "microparquet/desktop/zstd_codec.h"
#include "zstd_context.h"

namespace microparquet::desktop {

namespace {

// Numbers come again in four bytes: the library looks for five where a page has more than 256 KiB.
constexpr int kLeastMatch = 4;

// Streams of split values, or levels and values, follow one another in a page and are unlike each other:
// parts of this size have statistics of their own.
constexpr std::size_t kPartBytes = std::size_t{1} << 16;

void put_part(ZSTD_CCtx* context, const std::byte* part, std::size_t bytes, ZSTD_EndDirective directive,
              ZSTD_outBuffer& stored) {
  ZSTD_inBuffer in = {part, bytes, 0};
  std::size_t left = 0;
  do {
    left = ZSTD_compressStream2(context, &stored, &in, directive);
    if (ZSTD_isError(left) != 0 || (left != 0 && stored.pos == stored.size)) {
      throw std::bad_alloc();  // all else that can be wrong is the caller's
    }
  } while (left != 0 || in.pos != in.size);
}

}  // namespace

std::uint32_t ZstdCompressor::compress_page(Span<const std::byte> in, Span<std::byte> out,
                                            Span<std::byte>) const {
  ZSTD_CCtx* const context = context_of_thread<ZSTD_CCtx, ZSTD_createCCtx, ZSTD_freeCCtx>();
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_minMatch, kLeastMatch);
  ZSTD_CCtx_setPledgedSrcSize(context, in.size());
  ZSTD_outBuffer stored = {out.data(), out.size(), 0};
  std::size_t begin = 0;
  do {
    const std::size_t part = in.size() - begin < kPartBytes ? in.size() - begin : kPartBytes;
    put_part(context, in.data() + begin, part, begin + part == in.size() ? ZSTD_e_end : ZSTD_e_flush, stored);
    begin += part;
  } while (begin != in.size());
  return static_cast<std::uint32_t>(stored.pos);
}

}  // namespace microparquet::desktop
