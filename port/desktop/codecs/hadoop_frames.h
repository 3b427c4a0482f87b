// Hadoop's frames around the blocks of a compression that has none of its own:
//
//   pieces:   bytes before compression, then blocks that make that many
//   a block:  its bytes, the block
//
// Numbers have four bytes, the highest first.
#pragma once

#include <cstddef>

#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::desktop {

// Undoes one block to the beginning of `out`, and says how many bytes it became. False: it is no such block, or does not fit.
using UndoBlock = bool (*)(Span<const std::byte> block, Span<std::byte> out, std::size_t& bytes);

// Undoes all frames, each by `undo`. Answers like Decompressor::decompress().
Status undo_hadoop_frames(Span<const std::byte> in, Span<std::byte> out, UndoBlock undo);

}  // namespace microparquet::desktop
