// The structures of Parquet that a full index adds (parquet.thrift).
#pragma once

#include <cstdint>
#include <vector>

#include "format/page_index_writer.h"
#include "io/window_sink.h"
#include "microparquet/span.h"

namespace microparquet::desktop {

// ColumnIndex, with counts of levels and of NaN. `order`: parquet.thrift's BoundaryOrder. Requires: as put_index_part().
void put_bounds(thrift::WindowSink& sink, const microparquet::detail::ColumnWriter& column,
                microparquet::detail::ColumnNotes& notes, unsigned order);

// OffsetIndex. `text_bytes`: of each page; null: they are not known.
void put_places(thrift::WindowSink& sink, const microparquet::detail::ColumnWriter& column,
                microparquet::detail::ColumnNotes& notes, const std::vector<std::uint64_t>* text_bytes);

// BloomFilterHeader, and the filter.
void put_filter(thrift::WindowSink& sink, Span<const std::byte> filter);
constexpr std::uint32_t kMostFilterHeader = 20;

// Fields that a full index adds to ColumnMetaData.
struct MoreOfChunk {
  std::uint64_t filter_offset = 0;
  std::uint32_t filter_bytes = 0;  // header included; 0: there is no filter
  bool has_text_bytes = false;
  bool has_levels = false;
  std::uint64_t text_bytes = 0;
  std::uint64_t nulls = 0;
  std::uint64_t rows = 0;
};

// Puts the fields after the statistics, up to the end of the metadata: no more than kMostOfFilter, if there
// is a filter, and kMostOfSizes.
void put_more_of_chunk(thrift::WindowSink& sink, const MoreOfChunk& more);
constexpr std::uint32_t kMostOfFilter = 1 + 10 + 1 + 5;
constexpr std::uint32_t kMostOfSizes = 1 + (1 + 10) + (2 + 2 * 5) + 1;

}  // namespace microparquet::desktop
