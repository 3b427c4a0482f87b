#include <brotli/encode.h>

#include <new>

#include "microparquet/desktop/brotli_codec.h"

namespace microparquet::desktop {

std::uint32_t BrotliCompressor::compress_page(Span<const std::byte> in, Span<std::byte> out,
                                              Span<std::byte>) const {
  constexpr int kQuality = 5;
  std::size_t bytes = out.size();
  if (BrotliEncoderCompress(kQuality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, in.size(),
                            reinterpret_cast<const std::uint8_t*>(in.data()), &bytes,
                            reinterpret_cast<std::uint8_t*>(out.data())) != BROTLI_TRUE) {
    throw std::bad_alloc();  // all else that can be wrong is the caller's
  }
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace microparquet::desktop
