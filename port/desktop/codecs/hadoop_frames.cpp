#include "hadoop_frames.h"

#include <cstdint>

namespace microparquet::desktop {

namespace {

constexpr std::size_t kNumberBytes = 4;

bool take_number(Span<const std::byte>& in, std::size_t& number) {
  if (in.size() < kNumberBytes) {
    return false;
  }
  number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    number = number << 8 | std::to_integer<std::uint32_t>(in[i]);
  }
  in = in.subspan(kNumberBytes, in.size() - kNumberBytes);
  return true;
}

bool take_block(Span<const std::byte>& in, Span<std::byte>& out, UndoBlock undo) {
  std::size_t stored = 0;
  std::size_t bytes = 0;
  if (!take_number(in, stored) || stored > in.size() || !undo(in.subspan(0, stored), out, bytes)) {
    return false;
  }
  in = in.subspan(stored, in.size() - stored);
  out = out.subspan(bytes, out.size() - bytes);
  return true;
}

bool take_piece(Span<const std::byte>& in, Span<std::byte>& out, UndoBlock undo) {
  std::size_t bytes = 0;
  if (!take_number(in, bytes) || bytes > out.size()) {
    return false;
  }
  Span<std::byte> piece = out.subspan(0, bytes);
  while (!piece.empty()) {
    if (!take_block(in, piece, undo)) {
      return false;
    }
  }
  out = out.subspan(bytes, out.size() - bytes);
  return true;
}

}  // namespace

Status undo_hadoop_frames(Span<const std::byte> in, Span<std::byte> out, UndoBlock undo) {
  while (!in.empty()) {
    if (!take_piece(in, out, undo)) {
      return Status::kCorrupt;
    }
  }
  return out.empty() ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::desktop
