// What is kept of chunks whose pages are transformed, and the memory of compressors (TransformPlan).
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

// Null: the column is stored as it is. Requires: the plan has transforms.
[[gnu::noinline]] inline const Compressor* compressor_of(const detail::WriterState& state,
                                                         const detail::ColumnWriter& column) {
  const Compressor* const* const all = state.plan->transforms->compressors;
  return all != nullptr ? all[index_of(state, column)] : nullptr;
}

// The part of the arena that TransformPlan says.
inline std::byte* transform_memory(const detail::WriterState& state) {
  return arena_of(state) + state.plan->transforms->memory;
}

// Requires: the plan has transforms.
detail::EncodedChunk& encodings_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// Requires: they are those of kDictionaryEncodings, or more.
inline detail::DictionaryChunk& dictionary_chunk_of(const detail::WriterState& state,
                                                    const detail::ColumnWriter& column) {
  return static_cast<detail::DictionaryChunk&>(encodings_of(state, column));
}

// Requires: they are those of kPageTransform, or more.
inline detail::TransformedChunk& chunk_of(const detail::WriterState& state,
                                          const detail::ColumnWriter& column) {
  return static_cast<detail::TransformedChunk&>(encodings_of(state, column));
}

// Whether a chunk that has a dictionary, or is to have one, has data pages without indices.
inline bool falls_back(const detail::DictionaryChunk& chunk) {
  constexpr std::uint32_t kIndices = 1U << static_cast<unsigned>(EncodingId::kRleDictionary);
  return chunk.dictionary_bytes != 0 && (chunk.encodings & ~kIndices) != 0;
}

// What compressors need beside their input and output; and memory for a whole page, which lasts until the next
// one is sealed.
inline Span<std::byte> compressor_memory(const detail::WriterState& state, const Compressor& compressor) {
  const detail::PageTransform& functions = *state.plan->transforms->functions;
  return {transform_memory(state) + state.plan->columns_count * functions.chunk_bytes,
          compressor.scratch_bytes()};
}
inline std::byte* page_memory(const detail::WriterState& state, const Compressor& compressor) {
  return compressor_memory(state, compressor).data() + detail::align8(compressor.scratch_bytes());
}

// The last one of an extent may be short, where pages follow each other without padding; but no shorter than this, the
// space for its header apart.
inline constexpr std::uint32_t kLeastTailedPage = 512;

// Whether pages of the column follow each other without padding (in_place/sector_tail.cpp). Then so much of the last one
// waits at the head of the column's buffer.
bool has_tails(const detail::WriterState& state, const detail::ColumnWriter& column);
inline std::uint32_t tail_of(const detail::ColumnWriter& column) {
  return column.chunk_bytes % detail::kSectorBytes;
}
inline std::byte* buffer_of(const detail::ColumnWriter& column) {
  return column.end - column.plan->page_bytes;
}

// Where the header of the page begins that is being sealed, before it is padded; and its bytes, for a body of as many
// that is not compressed.
std::byte* header_place(const detail::WriterState& state, const detail::ColumnWriter& column);
std::uint32_t header_bytes(const detail::SealingPage& fields, std::uint32_t body_bytes);

// Compresses `bytes` bytes. Returns how many come of them. Requires: there is space at `to` for what they may grow to.
std::uint32_t compress(const detail::WriterState& state, const Compressor& compressor, const std::byte* body,
                       std::uint32_t bytes, std::byte* to);

// The body that will be stored lies from column.values on, in the page or elsewhere: moves it to its place, and
// notes what the chunk says of it. Returns by how much its header
// is longer.
std::uint32_t place_transformed(detail::WriterState& state, detail::ColumnWriter& column,
                                detail::SealingPage& fields);

}  // namespace microparquet::write
