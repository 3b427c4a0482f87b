// Reading the footer, once, from its beginning to its end.
#pragma once

#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Finds the footer from the last eight bytes of the file.
// - kNotParquet, kEncrypted: see Reader::open
// - kCorrupt: the footer is longer than the file
Status find_footer(detail::ReaderState& state);

// Reads FileMetaData, fills `leaves`, and notes where its lists begin.
// - kOutOfMemory: the arena ends before the leaves do; leaf_count has their number
Status read_footer(detail::ReaderState& state);

}  // namespace microparquet::read
