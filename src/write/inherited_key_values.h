// Key-values of a resumed file, copied from footer to footer.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns the checksum of two parts together, from the checksum of each.
std::uint32_t join_crc(Crc32 checksum, std::uint32_t first, std::uint32_t second, std::uint32_t second_bytes);

// Copies the inherited key-values into the footer that is being written. If the medium returns other bytes
// than were written, the footer ends with kCorrupt.
void put_inherited(thrift::WindowSink& sink, detail::WriterState& state);

// Parts of put_inherited() before it copies, and after it has copied `bytes` bytes.
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
