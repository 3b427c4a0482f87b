#include "microparquet/desktop/lzo_decompressor.h"

#include <lzo/lzo1x.h>

#include "hadoop_frames.h"

namespace microparquet::desktop {

namespace {

bool undo_lzo_block(Span<const std::byte> block, Span<std::byte> out, std::size_t& bytes) {
  lzo_uint made = out.size();
  const int result = lzo1x_decompress_safe(reinterpret_cast<const unsigned char*>(block.data()), block.size(),
                                           reinterpret_cast<unsigned char*>(out.data()), &made, nullptr);
  bytes = made;
  return result == LZO_E_OK;
}

}  // namespace

Status LzoDecompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  return undo_hadoop_frames(in, out, undo_lzo_block);
}

}  // namespace microparquet::desktop
