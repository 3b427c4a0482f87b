// The footer that a file ends with: of a file that is resumed it is the only thing believed.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Reads and checks the footer at the end of a file of `size` bytes. `said` is its extension then, the draft's
// place, length and checksums are its own, inherited_crc that of its key-values, and the columns have their
// free extents from it; nothing else changes. Statuses: see Writer::resume().
Status read_footer(detail::WriterState& state, detail::FooterExtension& contents, std::uint64_t size);

// The writer begins after that footer, whose extension is footer.now.
void start_from_footer(detail::WriterState& state);

}  // namespace microparquet::write
