// The footer of finished row groups, in constant memory.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

inline constexpr std::uint32_t kMagicBytes = 4;

// Where a footer stands, and what it says of the space before it.
struct FooterPlace {
  std::uint64_t at;
  std::uint64_t next_row_group;  // where the next row group would begin
  std::uint64_t room_end;
};

// Bytes of the footer that write_footer() would write now, up to and with the closing PAR1.
std::uint32_t footer_bytes(const detail::WriterState& state);

// Writes a footer that describes all finished row groups. One that stands at kMagicBytes goes out with the
// PAR1 before it, in the same write: the beginning of a file. Changes nothing in `state`: the footer counts
// once it is synced, see publish_footer(). kCorrupt when what is read back from the file is not what was
// written.
Status write_footer(detail::WriterState& state, const FooterPlace& place);

// The footer at `at` is on the medium: later ones copy their entries from it.
void publish_footer(detail::WriterState& state, std::uint64_t at);

}  // namespace microparquet::write
