// What is kept of chunks whose pages are transformed, and the memory of compressors (TransformPlan).
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

inline std::size_t index_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return static_cast<std::size_t>(&column - state.columns);
}

// Null: the column is stored as it is.
inline const Compressor* compressor_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return state.plan->transforms[index_of(state, column)].compressor;
}

// The part of the arena that TransformPlan says.
inline std::byte* transform_memory(const detail::WriterState& state) {
  return static_cast<std::byte*>(state.layout_state) + detail::align8(state.options->layout->state_bytes);
}

// Requires: the plan has transforms.
inline detail::EncodedChunk& encodings_of(const detail::WriterState& state,
                                          const detail::ColumnWriter& column) {
  std::byte* const at =
      transform_memory(state) + index_of(state, column) * state.plan->transforms->functions->chunk_bytes;
  return *reinterpret_cast<detail::EncodedChunk*>(at);
}

// Requires: they are those of kPageTransform.
inline detail::TransformedChunk& chunk_of(const detail::WriterState& state,
                                          const detail::ColumnWriter& column) {
  return static_cast<detail::TransformedChunk&>(encodings_of(state, column));
}

// The head of a column chunk, as format::write_row_group_of has it, with the encodings of its pages.
void put_chunk_head(thrift::WindowSink& sink, const detail::WriterState& state,
                    const detail::ColumnWriter& column);

// Compresses `body` into memory that lasts until the next call.
Span<const std::byte> compress(const detail::WriterState& state, const Compressor& compressor,
                               Span<const std::byte> body);

}  // namespace microparquet::write
