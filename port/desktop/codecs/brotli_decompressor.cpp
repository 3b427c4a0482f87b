#include "microparquet/desktop/brotli_codec.h"

#include <brotli/decode.h>

#include <memory>
#include <new>

namespace microparquet::desktop {

namespace {

struct DestroyDecoder {
  void operator()(BrotliDecoderState* decoder) const { BrotliDecoderDestroyInstance(decoder); }
};
// In one call libbrotli would not say whether there is input left.
using Decoder = std::unique_ptr<BrotliDecoderState, DestroyDecoder>;

}  // namespace

Status BrotliDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  const Decoder decoder(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  if (decoder == nullptr) {
    throw std::bad_alloc();
  }
  std::size_t bytes_in = in.size();
  std::size_t bytes_out = out.size();
  const auto* next_in = reinterpret_cast<const std::uint8_t*>(in.data());
  auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
  const BrotliDecoderResult result =
      BrotliDecoderDecompressStream(decoder.get(), &bytes_in, &next_in, &bytes_out, &next_out, nullptr);
  return result == BROTLI_DECODER_RESULT_SUCCESS && bytes_in == 0 && bytes_out == 0 ? Status::kOk
                                                                                    : Status::kCorrupt;
}

}  // namespace microparquet::desktop
