// Chunks of a row group whose pages are transformed, for format::write_row_group_of().
#pragma once

#include <cstdint>

#include "format/row_group.h"
#include "write/page_transform.h"

namespace microparquet::write {

struct EncodedChunks {
  const detail::WriterState& state;

  void put_head(thrift::WindowSink& sink, const detail::ColumnWriter& column,
                const detail::ChunkForm& form) const {
    format::put_chunk_head(sink, column.plan->shape.type,
                           encodings_of(state, column).encodings | form.encodings);
  }
  std::uint64_t describe(const detail::ColumnWriter& column, detail::ChunkForm& form) const {
    detail::DescribeChunk* const describe_chunk = state.plan->transforms->functions->describe_chunk;
    return describe_chunk != nullptr ? describe_chunk(state, column, form) : 0;
  }
  std::uint32_t values(const detail::ColumnWriter&, std::uint32_t rows) const { return rows; }
  void put_end(thrift::WindowSink& sink, const detail::ColumnWriter& column) const {
    if (state.options->layout->indexes_pages) {
      detail::indexed_layout(*state.options).put_chunk_end(sink, state, column);
    } else {
      format::write_chunk_end(sink, column);
    }
  }
};

}  // namespace microparquet::write
