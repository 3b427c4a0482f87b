// Gathering the chunks of the last row group when the file is closed.
#pragma once

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Moves column chunks of the ending row group, whose pages are all stored, into the unused space of other
// columns' extents, which makes the file end earlier. It moves nothing if a footer describes the row group,
// and never a chunk over itself: after a power cut or a failed call the old copy is intact.
Status gather_chunks(detail::WriterState& state);

}  // namespace microparquet::write
