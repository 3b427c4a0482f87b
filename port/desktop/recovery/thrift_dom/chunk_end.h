// What some writers leave after a column chunk: its ColumnChunk or ColumnMetaData, in the middle of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "byte_views.h"

namespace microparquet::recovery {

struct ChunkEnd {
  std::string column;  // its path, with dots
  std::uint64_t values = 0;
};

// That of a chunk that ends at `at`, where these bytes are; none: there is no such structure, or it is of other bytes. `used`:
// what it takes.
std::optional<ChunkEnd> read_chunk_end(ByteView bytes, std::uint64_t at, std::size_t& used);

}  // namespace microparquet::recovery
