#include "microparquet/desktop/lz4_decompressor.h"

#include <lz4.h>
#include <lz4frame.h>

#include <memory>
#include <new>

#include "hadoop_frames.h"

namespace microparquet::desktop {

namespace {

bool undo_lz4_block(Span<const std::byte> block, Span<std::byte> out, std::size_t& bytes) {
  const int result =
      LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
                          static_cast<int>(block.size()), static_cast<int>(out.size()));
  bytes = result < 0 ? 0 : static_cast<std::size_t>(result);
  return result >= 0;
}

Status undo_bare_block(Span<const std::byte> in, Span<std::byte> out) {
  std::size_t bytes = 0;
  return undo_lz4_block(in, out, bytes) && bytes == out.size() ? Status::kOk : Status::kCorrupt;
}

struct FreeFrames {
  void operator()(LZ4F_dctx* frames) const { LZ4F_freeDecompressionContext(frames); }
};

Status undo_lz4_frames(Span<const std::byte> in, Span<std::byte> out) {
  LZ4F_dctx* created = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&created, LZ4F_VERSION)) != 0U) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<LZ4F_dctx, FreeFrames> frames(created);
  std::size_t hint = 1;  // 0: a frame has ended
  while (!in.empty()) {
    std::size_t taken = in.size();
    std::size_t made = out.size();
    hint = LZ4F_decompress(frames.get(), out.data(), &made, in.data(), &taken, nullptr);
    if (LZ4F_isError(hint) != 0U || (taken == 0 && made == 0)) {
      return Status::kCorrupt;
    }
    in = in.subspan(taken, in.size() - taken);
    out = out.subspan(made, out.size() - made);
  }
  return hint == 0 && out.empty() ? Status::kOk : Status::kCorrupt;
}

}  // namespace

Status Lz4Decompressor::decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const {
  Status status = undo_hadoop_frames(in, out, undo_lz4_block);
  if (status != Status::kOk) {
    status = undo_lz4_frames(in, out);
  }
  return status == Status::kOk ? status : undo_bare_block(in, out);
}

}  // namespace microparquet::desktop
