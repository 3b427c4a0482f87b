// Offset and size of a column chunk, by a footer or by the structure after the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "byte_views.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// The place that a footer gives for a column chunk and its structures.
struct Place {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // 0: there is none; of a Bloom filter also: it is not said
};

struct ChunkPlaces {
  ColumnChunkInfo info;
  bool elsewhere = false;         // the pages are in another file
  std::uint64_t file_offset = 0;  // file_offset of ColumnChunk: a copy of its metadata, or nothing to rely on
  Place column_index;
  Place offset_index;
  Place bloom_filter;
};

// None when the ColumnChunk structure `chunk` is malformed or, as that of an encrypted column, names no
// pages.
std::optional<ChunkPlaces> places_of(ByteView chunk);

// Offset of the chunk's dictionary; 0: it has none.
std::uint64_t dictionary_of(ByteView chunk);
// The name of its column, with the groups it lies in, joined by dots.
std::string column_name_of(ByteView chunk);
// Path of the other file that has its pages; empty: there is none, or it is malformed.
std::string file_path_of(ByteView chunk);

// Bytes of the Bloom filter that is at the beginning of `bytes`, with its header; 0: there is none.
std::uint64_t bloom_filter_at(ByteView bytes);

// Bytes of what some writers leave after the pages, a copy of ColumnMetaData or the ColumnChunk around it, at
// the beginning of `bytes`; 0: what is there says no such pages.
std::size_t metadata_copy_bytes(ByteView bytes, const ColumnChunkInfo& info);

// The structure that some writers leave after a column chunk: its ColumnChunk or ColumnMetaData, in the
// middle of the file.
struct ChunkEnd {
  std::string column;  // its path, with dots
  std::uint64_t values = 0;
};

// The structure that follows a chunk which ends at `at`, where these bytes are; none: there is no such structure, or it is of other
// bytes. `used`: what it takes.
std::optional<ChunkEnd> read_chunk_end(ByteView bytes, std::uint64_t at, std::size_t& used);

}  // namespace microparquet::recovery
