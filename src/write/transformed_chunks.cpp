// Notes on chunks whose pages are transformed, and the test for tails. A program whose own columns transform
// nothing links them too if it asks about pages.
#include "write/page_transform.h"

namespace microparquet::write {

detail::EncodedChunk& encodings_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  std::byte* const at =
      transform_memory(state) + index_of(state, column) * state.plan->transforms->functions->chunk_bytes;
  return *reinterpret_cast<detail::EncodedChunk*>(at);
}

bool has_tails(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return detail::has_tails(compressor_of(state, column), state.plan->page_padding != 0,
                           column.plan->page_bytes);
}

}  // namespace microparquet::write
