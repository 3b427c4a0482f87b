// Where a footer says that a column chunk and what belongs to it lie.
#pragma once

#include <cstdint>
#include <optional>

#include "bytes.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

struct Place {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // 0: there is none; of a Bloom filter also: it is not said
};

struct ChunkPlaces {
  ColumnChunkInfo info;
  bool elsewhere = false;         // the pages are in another file
  std::uint64_t file_offset = 0;  // as ColumnChunk has it: of a copy of its metadata, or nothing to rely on
  Place column_index;
  Place offset_index;
  Place bloom_filter;
};

// None when the ColumnChunk structure `chunk` is malformed or, as that of an encrypted column, names no
// pages.
std::optional<ChunkPlaces> places_of(ByteView chunk);

}  // namespace microparquet::recovery
