// Notes on chunks whose pages are transformed, and the memory of compressors (TransformPlan).
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/detail/writer_state.h"
#include "write/page.h"

namespace microparquet::write {

inline std::size_t index_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return static_cast<std::size_t>(&column - state.columns);
}

// Returns the column's compressor; null: the column is stored as it is. Requires: the plan has transforms.
[[gnu::noinline]] inline const Compressor* compressor_of(const detail::WriterState& state,
                                                         const detail::ColumnWriter& column) {
  const Compressor* const* const all = state.plan->transforms->compressors;
  return all != nullptr ? all[index_of(state, column)] : nullptr;
}

// Returns the part of the arena that TransformPlan places.
inline std::byte* transform_memory(const detail::WriterState& state) {
  return arena_of(state) + state.plan->transforms->memory;
}

// Returns the notes on the column's chunk. Requires: the plan has transforms.
detail::EncodedChunk& encodings_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// Returns the notes as those of a dictionary. Requires: the plan's transform is kDictionaryEncodings or
// extends it.
inline detail::DictionaryChunk& dictionary_chunk_of(const detail::WriterState& state,
                                                    const detail::ColumnWriter& column) {
  return static_cast<detail::DictionaryChunk&>(encodings_of(state, column));
}

// Returns the notes as those of a transformed chunk. Requires: the plan's transform is kPageTransform or
// extends it.
inline detail::TransformedChunk& chunk_of(const detail::WriterState& state,
                                          const detail::ColumnWriter& column) {
  return static_cast<detail::TransformedChunk&>(encodings_of(state, column));
}

// Returns whether a chunk with a dictionary, or one that will have it, also has data pages without indices.
inline bool falls_back(const detail::DictionaryChunk& chunk) {
  constexpr std::uint32_t kIndices = 1U << static_cast<unsigned>(EncodingId::kRleDictionary);
  return chunk.dictionary_bytes != 0 && (chunk.encodings & ~kIndices) != 0;
}

// Memory of a compressor beside its input and output; and memory for a whole page, valid until the next page
// is sealed.
inline Span<std::byte> compressor_memory(const detail::WriterState& state, const Compressor& compressor) {
  const detail::PageTransform& functions = *state.plan->transforms->functions;
  return {transform_memory(state) + state.plan->columns_count * functions.chunk_bytes,
          compressor.scratch_bytes()};
}
inline std::byte* page_memory(const detail::WriterState& state, const Compressor& compressor) {
  return compressor_memory(state, compressor).data() + detail::align8(compressor.scratch_bytes());
}

// Smallest last page of an extent, without the space for its header, where pages follow each other without
// padding.
inline constexpr std::uint32_t kLeastTailedPage = 512;

// Returns whether pages of the column follow each other without padding (in_place/page_lengthening.cpp). Then the
// last tail_of() bytes wait at the head of the column's buffer.
bool has_tails(const detail::WriterState& state, const detail::ColumnWriter& column);
inline std::uint32_t tail_of(const detail::ColumnWriter& column) {
  return column.chunk_bytes % detail::kSectorBytes;
}
inline std::byte* buffer_of(const detail::ColumnWriter& column) {
  return column.end - column.plan->page_bytes;
}

// Returns where the header of the sealed page begins, before padding; and its length if the body has
// `body_bytes` and is not compressed.
std::byte* header_place(const detail::WriterState& state, const detail::ColumnWriter& column);
std::uint32_t header_bytes(const detail::SealingPage& fields, std::uint32_t body_bytes);

// Compresses `bytes` bytes and returns the compressed size. Requires: `to` has space for the compressor's
// largest growth.
std::uint32_t compress(const detail::WriterState& state, const Compressor& compressor, const std::byte* body,
                       std::uint32_t bytes, std::byte* to);

// Moves the finished body, which lies from column.values on, in the page or elsewhere, to its place in the
// page, and notes it for the chunk. Returns by how much the header is longer.
std::uint32_t place_transformed(detail::WriterState& state, detail::ColumnWriter& column,
                                detail::SealingPage& fields);

}  // namespace microparquet::write
