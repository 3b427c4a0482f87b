// Chunks of a row group with an index of its pages, for format::write_row_group_of().
#pragma once

#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Chunks whose index follows their metadata.
template <typename Chunks>
struct IndexedChunks : Chunks {
  const detail::WriterState& state;

  explicit IndexedChunks(const detail::WriterState& of) : state(of) {}
  // write_row_group_of() knows the class, and calls what shadows.
  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method)
  void put_end(thrift::WindowSink& sink, const detail::ColumnWriter& column) const {
    detail::put_indexed_chunk_end(sink, state, column);
  }
};

}  // namespace microparquet::write
