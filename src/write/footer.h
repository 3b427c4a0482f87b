// The footer of finished row groups, in constant memory.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Where a footer stands, and what it says of the space before it.
struct FooterPlace {
  std::uint64_t at = 0;
  std::uint64_t next_row_group = 0;  // where the next row group would begin
  std::uint64_t room_end = 0;
  std::uint64_t* written_to = nullptr;  // forward only: as WindowSink::resume
  bool magic_first = false;             // PAR1 goes before it, in the same write: the beginning of a file
};

// What a footer came to.
struct FooterEnds {
  std::uint64_t entries_begin = 0;
  std::uint64_t end = 0;
};

// Bytes of the footer that write_footer() would write now.
std::uint32_t footer_bytes(detail::WriterState& state);

// Writes a footer that describes all finished row groups, up to and with the closing PAR1. Changes nothing in
// `state`: the footer counts once it is synced, see publish_footer(). kCorrupt when what is read back from the
// file is not what was written.
Status write_footer(detail::WriterState& state, const FooterPlace& place, FooterEnds& ends);

// The footer at `place` is on the medium: later ones copy their entries from it.
void publish_footer(detail::WriterState& state, const FooterPlace& place, const FooterEnds& ends);

}  // namespace microparquet::write
