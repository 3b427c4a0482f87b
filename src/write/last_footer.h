// Reading the footer at the end of a resumed file. The writer trusts nothing else in the file.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Reads and checks the footer at the end of a file of `size` bytes. On success `contents` is its extension,
// the draft has its place, length and checksums, inherited_crc is that of its key-values, and the columns
// have their free extents; nothing else changes. Statuses: see Writer::resume().
Status read_footer(detail::WriterState& state, detail::FooterExtension& contents, std::uint64_t size);

// Starts the writer after that footer, whose extension is footer.now.
void start_from_footer(detail::WriterState& state);

}  // namespace microparquet::write
