// OffsetIndex and ColumnIndex (parquet.thrift) of a column chunk that is written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/bounds_tracker.h"

namespace microparquet::format {

// What they say of a page; the state of its bounds follows.
struct alignas(8) PageNote {
  std::uint32_t next;   // the note of the next page: from the one memory that holds them all
  std::uint32_t bytes;  // with its header
  std::uint32_t rows;
  std::uint32_t nulls;
};

// All pages of a chunk, at least one.
struct NotedPages {
  std::byte* memory;
  std::uint32_t first;
  std::uint32_t count;
  const ValueShape& shape;
  const BoundsTracker& tracker;
};

// `begin`: of the first page in the file.
void write_offset_index(thrift::WindowSink& sink, const NotedPages& pages, std::uint64_t begin);

// Of bounds it says no order, for which they would have to be compared. Requires: each page has bounds, or nulls alone.
void write_column_index(thrift::WindowSink& sink, const NotedPages& pages);

// A place of a ColumnChunk, right after the field before it.
void put_index_place(thrift::WindowSink& sink, std::uint64_t offset, std::uint32_t bytes);

}  // namespace microparquet::format
