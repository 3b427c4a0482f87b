// The footer, read from end to end once.
#pragma once

#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Finds the footer by the last eight bytes of the file.
// - kNotParquet, kEncrypted: see Reader::open
// - kCorrupt: the footer is longer than the file
Status find_footer(detail::ReaderState& state);

// Reads FileMetaData, fills `leaves`, and notes where its lists begin.
// - kOutOfMemory: the arena ends before the leaves do; leaf_count tells how many there are
Status read_footer(detail::ReaderState& state);

}  // namespace microparquet::read
