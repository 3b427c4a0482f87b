// Key-values of a file that is gone on with: copied from footer to footer.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// The checksum of two parts, one behind the other, from theirs.
std::uint32_t join_crc(Crc32 checksum, std::uint32_t first, std::uint32_t second, std::uint32_t second_bytes);

// Copies them into the footer that is being written. A medium that gives back other bytes than it took ends
// the footer with kCorrupt.
void put_inherited(thrift::WindowSink& sink, detail::WriterState& state);

// What it does before it copies and, with so many bytes copied, behind that.
void begin_inherited(thrift::WindowSink& sink, detail::WriterState& state);
void end_inherited(thrift::WindowSink& sink, detail::WriterState& state, std::uint32_t bytes);

}  // namespace microparquet::write
