// Key-values of a file that is resumed: copied from footer to footer.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// The checksum of two parts, one after the other, from theirs.
std::uint32_t join_crc(Crc32 checksum, std::uint32_t first, std::uint32_t second, std::uint32_t second_bytes);

// Copies them into the footer that is being written. A medium that gives back other bytes than it took ends
// the footer with kCorrupt.
void put_inherited(thrift::WindowSink& sink, detail::WriterState& state);

// What it does before it copies and, with `bytes` bytes copied, after that.
inline void begin_inherited(thrift::WindowSink& sink, detail::WriterState& state) {
  if (sink.reaches()) state.footer.draft.inherited_crc = sink.crc();
}
inline void end_inherited(thrift::WindowSink& sink, detail::WriterState& state, std::uint32_t bytes) {
  if (!sink.reaches()) return;
  const std::uint32_t before = state.footer.draft.inherited_crc;
  if (sink.crc() != join_crc(state.options->checksum, before, state.inherited.crc, bytes))
    sink.fail(Status::kCorrupt);
}

}  // namespace microparquet::write
