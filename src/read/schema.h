// The reader's copy of the schema.
#pragma once

#include "microparquet/detail/reader_state.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

// Reads the `count` elements of FileMetaData.schema, at the window's position, and fills `leaves`.
// - kOutOfMemory: the arena ends before the leaves do; leaf_count has their number
void read_schema(thrift::CompactReader& in, std::uint32_t count, detail::ReaderState& state);

}  // namespace microparquet::read
