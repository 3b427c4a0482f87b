// The schema, as the reader keeps it.
#pragma once

#include "microparquet/detail/reader_state.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

// Reads the `count` elements of FileMetaData.schema, which are next, and fills `leaves`.
// - kOutOfMemory: the arena ends before the leaves do; leaf_count tells how many there are
void read_schema(thrift::CompactReader& in, std::uint32_t count, detail::ReaderState& state);

}  // namespace microparquet::read
