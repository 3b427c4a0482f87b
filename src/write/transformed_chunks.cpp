// What is kept of chunks whose pages are transformed, and whether these have tails: linked also by what asks about pages
// that none of its own transforms.
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
