// The last row group of a file, moved together.
#pragma once

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Moves column chunks of the row group that ends, of which all pages are stored, into what other columns have
// left of their extents, so that the file ends earlier. Only where no footer describes the row group, and no
// chunk over itself: a power cut, or a call that fails, leaves it where it was.
Status gather_chunks(detail::WriterState& state);

}  // namespace microparquet::write
